package dev.kubeinformer.internal.codec.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * The share of a pool is closed while its reader takes memory: nothing stays reserved.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "All is given back")
@Outcome(expect = Expect.FORBIDDEN, desc = "Bytes that nobody gives back")
@State
public class PartPoolCloseStress {

	private final PoolBudget budget = new PoolBudget(1 << 20);

	private final PoolBudget.Share share = this.budget.share();

	@Actor
	public void reader() {
		new PartPool(PartPool.MOST_BYTES, () -> 1, this.share).rest();
	}

	@Actor
	public void close() {
		this.share.close();
	}

	@Arbiter
	public void end(J_Result result) {
		result.r1 = this.budget.reserved();
	}

}
