package dev.kubeinformer.internal.http;

import java.time.Duration;

import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two requests want to connect: one after the other does, and the end of the first wakes
 * the second.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "One after the other")
@Outcome(expect = Expect.FORBIDDEN, desc = "Requests that met another one, and that wait still")
@State
public class ConnectCoalescerStress {

	private static final OkHttpClient CLIENT = new OkHttpClient();

	private static final Call FIRST = call();

	private static final Call SECOND = call();

	private final ConnectCoalescer turns = new ConnectCoalescer(Duration.ofHours(1), true, System::nanoTime);

	// The turns order all accesses.

	private int connecting;

	private int met;

	private static Call call() {
		return CLIENT.newCall(new Request.Builder().url("http://localhost/").build());
	}

	@Actor
	public void one() {
		connect(FIRST);
	}

	@Actor
	public void other() {
		connect(SECOND);
	}

	private void connect(Call call) {
		this.turns.enter(call);
		if (this.connecting++ != 0) {
			this.met++;
		}
		this.connecting--;
		this.turns.leave(call);
	}

	@Arbiter
	public void end(II_Result result) {
		result.r1 = this.met;
		result.r2 = this.turns.waiting();
	}

}
