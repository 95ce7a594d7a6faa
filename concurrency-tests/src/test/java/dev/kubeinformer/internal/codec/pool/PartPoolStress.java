package dev.kubeinformer.internal.codec.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Two readers, each with a pool of its own, grow on a budget that is enough for one of
 * them. The budget is never overdrawn, and always what the shares hold.
 */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Within the budget, and counted")
@Outcome(expect = Expect.FORBIDDEN, desc = "Whether it is within the budget, and counted")
@State
public class PartPoolStress {

	private static final int OBJECT = 512;

	private static final int OBJECTS = 8;

	private static final byte[] BYTES = new byte[OBJECT];

	private final PoolBudget budget = new PoolBudget(14_000);

	private final PoolBudget.Share first = this.budget.share();

	private final PoolBudget.Share second = this.budget.share();

	@Actor
	public void one() {
		read(new PartPool(PartPool.MOST_BYTES, () -> 1000, this.first));
	}

	@Actor
	public void other() {
		read(new PartPool(PartPool.MOST_BYTES, () -> 1000, this.second));
	}

	private static void read(PartPool pool) {
		PartKind kind = pool.kind(BYTES, PartKind.SINGLE);
		for (int i = 0; i < OBJECTS; i++) {
			pool.object(OBJECT);
			pool.add(kind, i, BYTES, 0, OBJECT, BYTES);
		}
	}

	@Arbiter
	public void end(ZZ_Result result) {
		result.r1 = this.budget.reserved() <= this.budget.bytes();
		result.r2 = this.budget.reserved() == this.first.held() + this.second.held();
	}

}
