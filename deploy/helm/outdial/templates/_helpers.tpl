{{- define "outdial.name" -}}{{ printf "%s" .Release.Name | trunc 40 | trimSuffix "-" }}{{- end -}}

{{- define "outdial.labels" -}}
app.kubernetes.io/name: outdial
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "outdial.selector" -}}
app.kubernetes.io/name: outdial
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- /* .root, and .tag where it is that of another build */ -}}
{{- define "outdial.image" -}}
{{- $image := .root.Values.image -}}
{{- if .tag -}}{{ $image.repository }}:{{ .tag }}
{{- else if $image.digest -}}{{ $image.repository }}@{{ $image.digest }}
{{- else -}}{{ $image.repository }}:{{ $image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- /*
.root, and .tag where it is that of another build. What a build's objects are named by: tags that begin alike, or differ
in what a name may not have, are told apart by the digest.
*/ -}}
{{- define "outdial.build" -}}
{{- $tag := .tag | default .root.Values.image.tag | default .root.Chart.AppVersion -}}
{{- printf "%s-%s" ($tag | lower | replace "." "-" | replace "_" "-" | trunc 8 | trimSuffix "-") ($tag | sha256sum | trunc 6) -}}
{{- end -}}

{{- /* Two builds of one name would replace each other in place, which is what versioning is to prevent. */ -}}
{{- define "outdial.refuseAlike" -}}
{{- $image := .Values.image -}}
{{- if and $image.digest (not $image.tag) -}}
{{- fail "worker.versioning.enabled with image.digest names each build by its tag: set image.tag, too, to another one for each build" -}}
{{- end -}}
{{- $own := $image.tag | default .Chart.AppVersion -}}
{{- if has $own .Values.worker.versioning.previousTags -}}
{{- fail (printf "worker.versioning.previousTags has %s, which is the tag of this build: leave it out" $own) -}}
{{- end -}}
{{- end -}}

{{- define "outdial.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "outdial.security" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- /* .name of a setting, and .from, the Secret and its key */ -}}
{{- define "outdial.secret" -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: { name: {{ .from.existingSecret | quote }}, key: {{ .from.key | quote }} } }
{{- end -}}

{{- /* .root and .database, the Secret that the ledger's address is taken from */ -}}
{{- define "outdial.env" -}}
{{- $values := .root.Values -}}
- name: DATABASE_URL
  valueFrom: { secretKeyRef: { name: {{ required "name the Secret of the ledger's DATABASE_URL: secrets.ledger.existingSecret, secrets.owner.existingSecret" .database.existingSecret | quote }}, key: {{ .database.key | quote }} } }
- { name: OUTDIAL_DATA_DIR, value: /data }
- { name: TEMPORAL_ADDRESS, value: {{ required "name the Temporal server: temporal.address" $values.temporal.address | quote }} }
- { name: TEMPORAL_NAMESPACE, value: {{ $values.temporal.namespace | quote }} }
{{- if $values.secrets.temporal.existingSecret }}
- name: TEMPORAL_API_KEY
  valueFrom: { secretKeyRef: { name: {{ $values.secrets.temporal.existingSecret | quote }}, key: {{ $values.secrets.temporal.key | quote }} } }
{{- end }}
{{- /* Whoever speaks to Temporal, which jobs do as well, needs these; the rest is for those at work alone. */}}
{{- range $name, $from := $values.secrets.settings }}
{{- if hasKey $values.settings $name }}
{{- fail (printf "%s is in settings and in secrets.settings: leave it out of settings" $name) }}
{{- end }}
{{- if hasPrefix "TEMPORAL_" $name }}
{{ include "outdial.secret" (dict "name" $name "from" $from) }}
{{- end }}
{{- end }}
- { name: PLATFORM_BASE_URL, value: {{ required "name the platform: platform.baseUrl" $values.platform.baseUrl | quote }} }
{{- range $name, $value := $values.settings }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- end -}}

{{- /* Of workers and servers. */ -}}
{{- define "outdial.envAtWork" -}}
{{- $values := .root.Values -}}
{{ include "outdial.env" (dict "root" .root "database" $values.secrets.ledger) }}
- { name: OUTDIAL_MIGRATE, value: never }
- { name: OUTDIAL_HEALTH_LISTEN, value: "0.0.0.0:9465" }
{{- if $values.metrics.enabled }}
- { name: OUTDIAL_METRICS_LISTEN, value: "0.0.0.0:9464" }
{{- end }}
- { name: PLATFORM_API_KEY_FILE, value: /key/platform_key }
{{- if $values.secrets.named.existingSecret }}
- { name: OUTDIAL_SECRETS_DIR, value: /secrets }
{{- end }}
{{- range $name, $from := $values.secrets.settings }}
{{- if not (hasPrefix "TEMPORAL_" $name) }}
{{ include "outdial.secret" (dict "name" $name "from" $from) }}
{{- end }}
{{- end }}
{{- if $values.recordings.existingClaim }}
- { name: OUTDIAL_RECORDINGS_DIR, value: /recordings }
{{- end }}
{{- if $values.worker.versioning.enabled }}
- { name: OUTDIAL_WORKER_VERSIONING, value: "true" }
{{- end }}
{{- end -}}

{{- define "outdial.mounts" -}}
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
- { name: platform-key, mountPath: /key, readOnly: true }
{{- if .Values.secrets.named.existingSecret }}
- { name: named-secrets, mountPath: /secrets, readOnly: true }
{{- end }}
{{- if .Values.recordings.existingClaim }}
- { name: recordings, mountPath: /recordings }
{{- end }}
{{- end -}}

{{- define "outdial.volumes" -}}
- { name: data, emptyDir: { sizeLimit: 1Gi } }
- { name: tmp, emptyDir: { sizeLimit: 1Gi } }
- name: platform-key
  secret:
    secretName: {{ required "name the Secret of the platform's key: secrets.platform.existingSecret" .Values.secrets.platform.existingSecret | quote }}
    items: [{ key: {{ .Values.secrets.platform.key | quote }}, path: platform_key }]
{{- if .Values.secrets.named.existingSecret }}
- { name: named-secrets, secret: { secretName: {{ .Values.secrets.named.existingSecret | quote }} } }
{{- end }}
{{- if .Values.recordings.existingClaim }}
- { name: recordings, persistentVolumeClaim: { claimName: {{ .Values.recordings.existingClaim | quote }} } }
{{- end }}
{{- end -}}

{{- define "outdial.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: health }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: health }
  periodSeconds: 15
  timeoutSeconds: 5
  failureThreshold: 4
readinessProbe:
  httpGet: { path: /readyz, port: health }
  periodSeconds: 5
  timeoutSeconds: 3
{{- end -}}

{{- define "outdial.apart" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "outdial.selector" . | nindent 8 }}
{{- end -}}
