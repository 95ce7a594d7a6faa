package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

import dev.kubeinformer.handler.HandledEvent;
import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.handler.RetryBackoff;
import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.types.ObjectKey;

/**
 * A worker handles an event while somebody asks for the state of the handler. The event
 * waits, is in hand, or was handled; the state never misses it.
 */
@JCStressTest
@Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "It waits")
@Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "It is in hand")
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "It was handled a moment ago")
@Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE, desc = "It was handled")
@Outcome(expect = Expect.FORBIDDEN, desc = "Events that wait, are in hand, and were handled")
@State
public class HandlerStatusStress {

	private static final StoredObject<V1ConfigMap> OBJECT = new StoredObject<>("ns", "a", "uid", "1",
			new V1ConfigMap());

	private final Recovery recovery = new Recovery();

	private final HandlerQueue<V1ConfigMap> queue = new HandlerQueue<>(10, System::nanoTime, () -> {
	}, (dropped) -> {
	}, this.recovery, Duration.ofHours(1));

	private final HandlerInvoker<V1ConfigMap> invoker = new HandlerInvoker<>(this.queue, (event) -> {
	}, RetryBackoff.none(), new Silence(), new HandlerDispatcher.Context("default", Thread::new, System::nanoTime),
			() -> false, this.recovery);

	public HandlerStatusStress() {
		this.queue.delta(new Delta<>(Delta.Kind.ADDED, null, OBJECT, false, false));
		this.queue.drain(System.nanoTime() + TimeUnit.HOURS.toNanos(1));
	}

	@Actor
	public void work() {
		try {
			this.invoker.handle(this.queue.take(0));
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Actor
	public void ask(III_Result result) {
		HandlerStatus status = this.queue.status(this.invoker);
		result.r1 = status.queue().size();
		result.r2 = (status.handling() != null) ? 1 : 0;
		result.r3 = (int) status.deliveries().processed();
	}

	private static final class Silence implements DeliveryListener<V1ConfigMap> {

		@Override
		public boolean isActive() {
			return false;
		}

		@Override
		public void synced() {
		}

		@Override
		public void handled(HandledEvent event) {
		}

		@Override
		public void failed(ResourceEvent<V1ConfigMap> event, ObjectKey key, Throwable cause, Duration retry) {
		}

		@Override
		public void interrupted(ResourceEvent<V1ConfigMap> event, ObjectKey key) {
		}

		@Override
		public void dropped(int events) {
		}

		@Override
		public void settled() {
		}

	}

}
