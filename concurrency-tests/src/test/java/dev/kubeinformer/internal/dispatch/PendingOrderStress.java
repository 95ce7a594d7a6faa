package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.StoredObject;

/**
 * Two workers take three events, of which two are of one object. Those two never overlap
 * and come in their order; each of the three is handed out once.
 */
@JCStressTest
@Outcome(id = "3, 0", expect = Expect.ACCEPTABLE, desc = "All in order")
@Outcome(expect = Expect.FORBIDDEN, desc = "Number of events handed out, and mistakes")
@State
public class PendingOrderStress {

	private static final V1ConfigMap OBJECT = new V1ConfigMap();

	private final HandlerQueue<V1ConfigMap> queue = new HandlerQueue<>(10, System::nanoTime, () -> {
	}, (dropped) -> {
	}, new Recovery(), Duration.ofHours(1));

	// State of the object with two events. The queue orders all accesses.

	private int handling;

	private int last;

	private int mistakes;

	// Results of one worker each.

	private int first;

	private int second;

	public PendingOrderStress() {
		this.queue.delta(update("a", 1));
		this.queue.delta(update("a", 2));
		this.queue.delta(update("b", 3));
		// Workers end when nothing is left.
		this.queue.drain(System.nanoTime() + TimeUnit.HOURS.toNanos(1));
	}

	private static Delta<V1ConfigMap> update(String name, int version) {
		return new Delta<>(Delta.Kind.UPDATED, object(name, version - 1), object(name, version), false, false);
	}

	private static StoredObject<V1ConfigMap> object(String name, int version) {
		return new StoredObject<>("ns", name, "uid", String.valueOf(version), OBJECT);
	}

	@Actor
	public void one() {
		this.first = work();
	}

	@Actor
	public void other() {
		this.second = work();
	}

	private int work() {
		int taken = 0;
		for (PendingDelta<V1ConfigMap> event = next(); event != null; event = next()) {
			taken++;
			if (event.key().name().equals("a")) {
				handle(event);
			}
			this.queue.finished(event);
		}
		return taken;
	}

	private PendingDelta<V1ConfigMap> next() {
		try {
			return this.queue.take(0);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void handle(PendingDelta<V1ConfigMap> event) {
		if (this.handling++ != 0) {
			this.mistakes++;
		}
		int place = (int) event.place();
		if (place <= this.last) {
			this.mistakes++;
		}
		this.last = place;
		this.handling--;
	}

	@Arbiter
	public void end(II_Result result) {
		result.r1 = this.first + this.second;
		result.r2 = this.mistakes;
	}

}
