package dev.kubeinformer.spring.inject;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.TransformFunc;
import io.kubernetes.client.informer.cache.Indexer;
import io.kubernetes.client.informer.cache.Lister;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.informer.QuarantinedObjects;
import dev.kubeinformer.informer.Snapshot;

/**
 * An informer as it is injected: others share it, so that it cannot be stopped by one of
 * them.
 *
 * @param <T> the model class
 */
final class InformerHandle<T extends KubernetesObject> implements Informer<T> {

	private final Informer<T> informer;

	private final Informers informers;

	private final boolean enabled;

	/**
	 * Creates the handle.
	 * @param informer the informer
	 * @param informers all informers
	 * @param enabled whether informers may connect
	 */
	InformerHandle(Informer<T> informer, Informers informers, boolean enabled) {
		this.informer = informer;
		this.informers = informers;
		this.enabled = enabled;
	}

	@Override
	public void run() {
		if (this.enabled && !this.informers.isRunning()) {
			this.informer.run();
		}
	}

	@Override
	public void stop() {
		throw new UnsupportedOperationException(
				("Informer '%s' was injected and others share it, so that it is not stopped alone. "
						+ "Stop all with Informers.stop()")
					.formatted(id()));
	}

	@Override
	public String id() {
		return this.informer.id();
	}

	@Override
	public String cluster() {
		return this.informer.cluster();
	}

	@Override
	public InformerSpec<T> spec() {
		return this.informer.spec();
	}

	@Override
	public Set<String> namespaces() {
		return this.informer.namespaces();
	}

	@Override
	public boolean addNamespace(String namespace) {
		return this.informer.addNamespace(namespace);
	}

	@Override
	public void removeNamespace(String namespace) {
		this.informer.removeNamespace(namespace);
	}

	@Override
	public InformerStatus status() {
		return this.informer.status();
	}

	@Override
	public QuarantinedObjects quarantined() {
		return this.informer.quarantined();
	}

	@Override
	public Snapshot<T> snapshot() {
		return this.informer.snapshot();
	}

	@Override
	public Lister<T> lister() {
		return this.informer.lister();
	}

	@Override
	public HandlerRegistration addHandler(EventHandler<T> handler, HandlerOptions options) {
		return this.informer.addHandler(handler, options);
	}

	@Override
	public HandlerRegistration addHandler(ResourceEventHandler<? super T> handler, HandlerOptions options) {
		return this.informer.addHandler(handler, options);
	}

	@Override
	public List<HandlerRegistration> handlers() {
		return this.informer.handlers();
	}

	@Override
	public boolean awaitSync(Duration timeout) throws InterruptedException {
		return this.informer.awaitSync(timeout);
	}

	@Override
	public boolean awaitSync(String namespace, Duration timeout) throws InterruptedException {
		return this.informer.awaitSync(namespace, timeout);
	}

	@Override
	public boolean awaitResourceVersion(String resourceVersion, Duration timeout) throws InterruptedException {
		return this.informer.awaitResourceVersion(resourceVersion, timeout);
	}

	@Override
	public boolean await(KubernetesObject written, Duration timeout) throws InterruptedException {
		return this.informer.await(written, timeout);
	}

	@Override
	public void addEventHandler(ResourceEventHandler<T> handler) {
		this.informer.addEventHandler(handler);
	}

	@Override
	public void addEventHandlerWithResyncPeriod(ResourceEventHandler<T> handler, long resyncPeriod) {
		this.informer.addEventHandlerWithResyncPeriod(handler, resyncPeriod);
	}

	@Override
	public boolean hasSynced() {
		return this.informer.hasSynced();
	}

	@Override
	public String lastSyncResourceVersion() {
		return this.informer.lastSyncResourceVersion();
	}

	@Override
	public void setTransform(@Nullable TransformFunc transformFunc) {
		this.informer.setTransform(transformFunc);
	}

	@Override
	public void addIndexers(Map<String, Function<T, List<String>>> indexers) {
		this.informer.addIndexers(indexers);
	}

	@Override
	public Indexer<T> getIndexer() {
		return this.informer.getIndexer();
	}

	@Override
	public String toString() {
		return this.informer.toString();
	}

}
