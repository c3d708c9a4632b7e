# syntax=docker/dockerfile:1
# Temporal's worker needs glibc: slim, not alpine.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY scripts ./scripts
COPY src ./src
RUN node scripts/build.mjs && npm prune --omit=dev

FROM node:24-bookworm-slim
ENV NODE_ENV=production OUTDIAL_DATA_DIR=/data
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && install -d -o node -g node -m 0700 /data /recordings
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
COPY bin ./bin
COPY examples ./examples
USER node
VOLUME /data
EXPOSE 8480
# Worker and server write their pulse into /data/health every ten seconds; this reads it.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 CMD ["node", "bin/outdial.mjs", "health"]
ENTRYPOINT ["node", "bin/outdial.mjs"]
CMD ["worker"]
