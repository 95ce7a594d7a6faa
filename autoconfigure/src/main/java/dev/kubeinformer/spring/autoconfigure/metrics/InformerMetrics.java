package dev.kubeinformer.spring.autoconfigure.metrics;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.DisposableBean;

import dev.kubeinformer.Informers;

/**
 * A {@link MeterBinder} for the informers of an application and their handlers, those
 * that come later included.
 */
final class InformerMetrics implements MeterBinder, DisposableBean {

	private final Informers informers;

	private final List<RegistryInformerMeters> bound = new CopyOnWriteArrayList<>();

	InformerMetrics(Informers informers) {
		this.informers = informers;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		RegistryInformerMeters meters = new RegistryInformerMeters(registry);
		this.bound.add(meters);
		this.informers.addListener(meters);
		this.informers.all().forEach((informer) -> {
			meters.informerAdded(informer);
			informer.handlers().forEach((handler) -> meters.handlerAdded(informer, handler));
		});
	}

	@Override
	public void destroy() {
		// The informers may be those of a parent, and live on.
		this.bound.forEach(this.informers::removeListener);
		this.bound.forEach(RegistryInformerMeters::close);
	}

}
