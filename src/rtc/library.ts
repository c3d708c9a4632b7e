/** What we use of LiveKit's library for Node.js, in our own words: it is not installed with us, nor are its types. */

export interface RtcStreamReader extends AsyncIterable<string> {
  readonly info: {
    readonly totalSize?: number | undefined;
    readonly attributes?: Record<string, string> | undefined;
  };
}

export interface RtcFrame {
  readonly data: Int16Array;
  readonly sampleRate: number;
  readonly channels: number;
}

/** A track is handed on as it came. */
export type RtcTrack = object;

export interface RtcParticipant {
  readonly identity: string;
  readonly disconnectReason?: number | undefined;
}

export interface RtcLocalParticipant {
  sendText(text: string, options: { topic: string; attributes?: Record<string, string> }): Promise<unknown>;
  publishTrack(track: RtcTrack, options: object): Promise<{ readonly sid?: string | undefined }>;
}

export interface RtcRoom {
  readonly isConnected: boolean;
  readonly localParticipant?: RtcLocalParticipant | undefined;
  readonly remoteParticipants: Map<string, RtcParticipant>;
  on(event: "participantConnected", listener: (participant: RtcParticipant) => void): unknown;
  on(event: "participantDisconnected", listener: (participant: RtcParticipant) => void): unknown;
  on(event: "disconnected", listener: (reason: number) => void): unknown;
  on(event: "reconnecting" | "reconnected", listener: () => void): unknown;
  on(event: "trackSubscribed", listener: (track: RtcTrack) => void): unknown;
  registerTextStreamHandler(
    topic: string,
    listener: (reader: RtcStreamReader, from: { readonly identity: string }) => void,
  ): void;
  connect(url: string, token: string, options: { autoSubscribe: boolean; dynacast: boolean }): Promise<void>;
  disconnect(): Promise<void>;
}

export interface RtcSource {
  captureFrame(frame: RtcFrame): Promise<void>;
  clearQueue(): void;
  /** Resolves when all that it was given is on its way. */
  waitForPlayout(): Promise<void>;
  close(): Promise<void>;
}

export interface RtcLibrary {
  openRoom(): RtcRoom;
  openSource(sampleRate: number, channels: number): RtcSource;
  /** The track of a source, as a microphone's. */
  publish(room: RtcRoom, source: RtcSource): Promise<{ readonly sid?: string | undefined }>;
  /** The sound of a track, one channel, until it ends. */
  listen(track: RtcTrack, sampleRate: number): AsyncIterable<RtcFrame>;
}

/** Why somebody is not connected any more: LiveKit's `DisconnectReason`, of which these mean something to us. */
export const LEFT = {
  byItself: 1,
  duplicateIdentity: 2,
  removed: 4,
  roomDeleted: 5,
} as const;
