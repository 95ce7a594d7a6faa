package dev.kubeinformer.internal.elector;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

import dev.kubeinformer.internal.election.ClockReading;
import dev.kubeinformer.internal.election.ElectionRules;
import dev.kubeinformer.internal.election.HeldTerm;

/**
 * A term is renewed in the moment in which its time is over. Whoever found it to be over
 * never finds it valid again, as another process may lead by then.
 */
@JCStressTest
@Outcome(id = "true, true, true", expect = Expect.ACCEPTABLE, desc = "Renewed in time")
@Outcome(id = "false, false, false", expect = Expect.ACCEPTABLE, desc = "Over")
@Outcome(expect = Expect.FORBIDDEN, desc = "Whether it was valid the first time, the second time and in the end")
@State
public class LeaseTermStress {

	private static final Duration DEADLINE = Duration.ofNanos(10);

	private static final Clock WALL = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

	private static final ElectionRules RULES = new ElectionRules();

	private volatile long now = 9;

	private final LeaseTerm term = new LeaseTerm(held(0), DEADLINE, RULES, new ElectorClocks(() -> this.now, WALL));

	private static HeldTerm held(long from) {
		return new HeldTerm(1, Instant.EPOCH, new ClockReading(from, 0));
	}

	@Actor
	public void renew() {
		this.term.renew(held(9));
	}

	@Actor
	public void ask(ZZZ_Result result) {
		this.now = 10;
		result.r1 = this.term.isValid();
		result.r2 = this.term.isValid();
	}

	@Arbiter
	public void end(ZZZ_Result result) {
		result.r3 = this.term.isValid();
	}

}
