// Joins the room of a web call with livekit-client: our microphone goes in, the agent's voice comes out and is measured.
import { DisconnectReason, Room, RoomEvent, Track } from "./livekit-client.mjs";

const [callButton, hangUpButton, state, meter, transcript, form, words] = [
  "call",
  "hang-up",
  "state",
  "level",
  "transcript",
  "write",
  "words",
].map((id) => document.getElementById(id));

/** Undefined while there is no call. */
let room;
/** What the last call was heard with; undefined before the first. */
let sound;
/** What measures it. */
let measuring;

callButton.addEventListener("click", () => {
  void call();
});

hangUpButton.addEventListener("click", () => {
  // Leaving the room ends the call.
  void room?.disconnect();
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = words.value.trim();
  if (text === "" || room === undefined) return;
  words.value = "";
  room.localParticipant.sendText(text, { topic: "lk.chat" }).then(
    () => say(text),
    (error) => (state.value = `not written: ${error.message}`),
  );
});

async function call() {
  callButton.disabled = true;
  state.value = "calling";
  transcript.replaceChildren();
  clearInterval(measuring);
  void sound?.close();
  meter.value = 0;
  // Made in a click: without one a browser lets nothing be heard.
  sound = new AudioContext();
  try {
    const answer = await fetch("call", { method: "POST" });
    if (!answer.ok) throw new Error(await answer.text());
    const { room_url, access_token } = await answer.json();
    await join(room_url, access_token);
  } catch (error) {
    // Nobody is left in a room by a microphone that may not be used.
    await room?.disconnect();
    over(`no call: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function join(url, token) {
  const joined = new Room();
  room = joined;
  joined.registerTextStreamHandler("lk.transcription", async (reader) => say(await reader.readAll()));
  joined.on(RoomEvent.TrackSubscribed, (track) => {
    if (track.kind !== Track.Kind.Audio) return;
    // It is heard through the element, which browsers want even where sound is measured alone.
    document.body.append(track.attach());
    measure(track.mediaStreamTrack);
  });
  joined.on(RoomEvent.TrackUnsubscribed, (track) => {
    for (const element of track.detach()) element.remove();
  });
  joined.on(RoomEvent.Reconnecting, () => (state.value = "the connection is lost"));
  joined.on(RoomEvent.Reconnected, () => (state.value = "connected"));
  joined.on(RoomEvent.Disconnected, (reason) => {
    if (room !== joined) return;
    over(reason === DisconnectReason.CLIENT_INITIATED ? "you hung up" : "the call is over");
  });
  await joined.connect(url, token);
  // Asks for the microphone where the page may not use it yet.
  await joined.localParticipant.setMicrophoneEnabled(true);
  state.value = "connected";
  hangUpButton.disabled = false;
  words.disabled = false;
}

/** Shows how loud a track is, from 0 (silence) to 1, until the next call: also that it is silent when it is over. */
function measure(track) {
  const analyser = sound.createAnalyser();
  sound.createMediaStreamSource(new MediaStream([track])).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  clearInterval(measuring);
  measuring = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    meter.value = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
  }, 50);
}

function over(how) {
  room = undefined;
  state.value = how;
  callButton.disabled = false;
  hangUpButton.disabled = true;
  words.disabled = true;
}

function say(text) {
  const line = document.createElement("li");
  line.textContent = text;
  transcript.append(line);
}
