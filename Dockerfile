# Temporal's worker needs glibc: slim, not alpine. `node scripts/image.mjs` goes through these steps without a container
# engine.
FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY scripts ./scripts
COPY src ./src
COPY dashboard ./dashboard
RUN node scripts/build.mjs && npm prune --omit=dev
# What is in it, for those who look for known holes: CycloneDX, of the folder as it is now; npm would miss what was pruned.
RUN npm pkg delete devDependencies && npm sbom --omit=dev --sbom-format=cyclonedx > sbom.cdx.json

FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20
ENV NODE_ENV=production OUTDIAL_DATA_DIR=/data
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && install -d -o node -g node -m 0700 /data /key /recordings
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/sbom.cdx.json ./
COPY package.json LICENSE ./
COPY bin ./bin
COPY examples ./examples
USER node
VOLUME /data
EXPOSE 8480
# Worker and server write their pulse into /data/health every ten seconds; this reads it, and loads nothing else.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 CMD node dist/health-check.js "$OUTDIAL_DATA_DIR"
ENTRYPOINT ["node", "bin/outdial.mjs"]
CMD ["worker"]
