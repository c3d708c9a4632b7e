import { sql } from "drizzle-orm";

import { rows, type Ledger } from "../../src/ledger/ground/connection.ts";

/**
 * Has a ledger refuse every transaction, of whatever code, that ends a call of an enrolment and tells nobody (I3, I5):
 * at its commit the outbox has the enrolment, or the enrolment does not wait for that call. One of which the ledger
 * knows nothing is to be told, too.
 */
export async function refuseUntoldEnds({ db }: Pick<Ledger, "db">): Promise<void> {
  await rows(
    db,
    sql`create function refuse_untold_end() returns trigger language plpgsql as $$
        begin
          if exists (select 1 from outbox where kind in ('enrolment', 'enrolment_bulk') and subject = new.enrolment_id::text)
            or exists (select 1 from enrolments where id = new.enrolment_id
                         and (state <> 'active' or waits_call is distinct from new.placement)) then
            return null;
          end if;
          raise exception 'a call of enrolment % ended (%: %) and nobody was told', new.enrolment_id, new.state, new.reason;
        end $$`,
  );
  await rows(
    db,
    sql`create constraint trigger told_of_ends after update on contacts deferrable initially deferred
        for each row when (new.enrolment_id is not null and new.state in ('done', 'excluded') and old.state not in ('done', 'excluded'))
        execute function refuse_untold_end()`,
  );
}
