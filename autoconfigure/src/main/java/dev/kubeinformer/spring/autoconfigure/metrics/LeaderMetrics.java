package dev.kubeinformer.spring.autoconfigure.metrics;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.LeadershipListener;
import dev.kubeinformer.leader.RevocationReason;
import dev.kubeinformer.spring.leader.ElectedLeadership;
import dev.kubeinformer.spring.leader.LeaderSkipListener;

/**
 * {@link MeterBinder} for the elector of an application. Without an elector there are no meters.
 */
final class LeaderMetrics implements MeterBinder, LeadershipListener, LeaderSkipListener, DisposableBean {

	private final Supplier<@Nullable ElectedLeadership> elected;

	private final List<LeaderMeters> bound = new CopyOnWriteArrayList<>();

	private final AtomicReference<@Nullable Leadership> listenedTo = new AtomicReference<>();

	/**
	 * Creates the binder.
	 * @param elected the supplier of the elector, or of {@code null} if there is none; not called before there is a registry
	 */
	LeaderMetrics(Supplier<@Nullable ElectedLeadership> elected) {
		this.elected = elected;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		ElectedLeadership elector = this.elected.get();
		if (elector != null) {
			this.bound.add(new LeaderMeters(registry, elector));
			if (this.listenedTo.compareAndSet(null, elector.leadership())) {
				elector.leadership().addListener(this);
			}
		}
	}

	@Override
	public void renewed(Duration slack) {
		this.bound.forEach((meters) -> meters.renewed(slack));
	}

	@Override
	public void renewalFailed() {
		this.bound.forEach(LeaderMeters::renewalFailed);
	}

	@Override
	public void revoked(Leadership.Term term, RevocationReason reason) {
		this.bound.forEach(LeaderMeters::revoked);
	}

	@Override
	public void warningReceived(String warning) {
		this.bound.forEach(LeaderMeters::warned);
	}

	@Override
	public void skipped(Method method) {
		this.bound.forEach(LeaderMeters::skipped);
	}

	@Override
	public void destroy() {
		Leadership leadership = this.listenedTo.getAndSet(null);
		if (leadership != null) {
			// The elector may belong to a parent context and outlive this one.
			leadership.removeListener(this);
		}
		this.bound.forEach(LeaderMeters::remove);
		this.bound.clear();
	}

}
