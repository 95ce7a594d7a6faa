package dev.kubeinformer.spring.handler.container;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spring.handler.AttachedContainer;
import dev.kubeinformer.spring.handler.ChangedNamespaces;
import dev.kubeinformer.spring.handler.InformerErrorHandler;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.settings.Setting;

/**
 * The {@link InformerHandlerContainer} of one handler.
 *
 * @param <T> the model class
 */
final class DefaultInformerHandlerContainer<T extends KubernetesObject> implements AttachedContainer {

	private final Informers informers;

	private final HandlerDefinition<T> definition;

	private final EventHandler<T> handler;

	private final Map<ResourceEvent.Type, Method> methods;

	private final HandlerOptions options;

	private final HandlerAttachment<T> attachment;

	private final HandlerSource<T> source;

	private volatile boolean retired;

	private volatile Runnable attached = () -> {
	};

	/** The terms of a leader-only handler; {@code null} if it is none. */
	private final @Nullable HandlerTerms terms;

	DefaultInformerHandlerContainer(Informers informers, HandlerDefinition<T> definition, EventHandler<T> handler,
			Map<ResourceEvent.Type, Method> methods, @Nullable TermDeliveries deliveries, ChangedNamespaces changed) {
		this.informers = informers;
		this.source = new HandlerSource<>(definition.id(), informers, definition.spec(), changed);
		this.definition = definition;
		this.handler = handler;
		this.methods = methods;
		this.options = definition.options().withExhausted(this::exhausted);
		this.attachment = new HandlerAttachment<>(this.options, cacheWait());
		this.terms = (deliveries != null)
				? new HandlerTerms(deliveries, new TermAttachment(deliveries), this.options.drainTimeout()) : null;
		if (handler instanceof WaitingEventHandler<T> waiting) {
			waiting.runningWhile(this.attachment::isAttached);
		}
	}

	private void exhausted(ResourceEvent<?> event, Throwable failure) {
		InformerErrorHandler errorHandler = this.definition.errorHandler().get();
		if (errorHandler != null) {
			errorHandler.handle(event, failure, this);
		}
	}

	/**
	 * Makes the informer known, so that it starts with the others.
	 */
	void prepare() {
		informer();
	}

	/**
	 * Ends for ever: the handler is stopped, drains, and its informer is left to others.
	 */
	void retire() {
		this.retired = true;
		try {
			stop();
			this.source.close();
		}
		finally {
			this.attached.run();
		}
	}

	@Override
	public boolean isRetired() {
		return this.retired;
	}

	HandlerOrigin origin() {
		return this.definition.origin();
	}

	@Override
	public String id() {
		return this.definition.id();
	}

	@Override
	public String cluster() {
		return this.definition.cluster();
	}

	@Override
	public Informers informers() {
		return this.informers;
	}

	@Override
	public String beanName() {
		return this.definition.origin().beanName();
	}

	@Override
	public Map<ResourceEvent.Type, Method> methods() {
		return this.methods;
	}

	@Override
	public InformerSpec<T> spec() {
		return this.definition.spec();
	}

	@Override
	public HandlerOptions options() {
		return this.options;
	}

	@Override
	public boolean isAutoStartup() {
		return this.definition.isOn(HandlerSettings.AUTO_STARTUP);
	}

	@Override
	public boolean isReadiness() {
		return this.definition.isOn(Setting.READINESS);
	}

	@Override
	public void start() {
		if (this.retired) {
			throw new IllegalStateException("Handler '%s' was unregistered".formatted(id()));
		}
		attach();
		informer().run();
	}

	@Override
	public void attach() {
		try {
			attachNow();
		}
		catch (RuntimeException ex) {
			// Of one that was unregistered meanwhile the informer is gone.
			if (!this.retired) {
				throw ex;
			}
		}
	}

	private void attachNow() {
		if (this.terms != null) {
			this.terms.start();
			if (isStandby()) {
				this.attached.run();
			}
		}
		else {
			attach(this.handler, () -> false);
		}
	}

	private @Nullable Runnable attach(EventHandler<T> attached, BooleanSupplier paused) {
		if (this.retired) {
			return null;
		}
		Runnable detach = this.attachment.attach(informer(), attached, paused);
		if (detach != null) {
			this.attached.run();
		}
		if (detach != null && this.retired) {
			// It was unregistered meanwhile.
			detach.run();
			return null;
		}
		return detach;
	}

	private @Nullable CacheWait cacheWait() {
		return (this.handler instanceof WaitingEventHandler<T> waiting) ? waiting.cacheWait() : null;
	}

	/**
	 * Looks whether the handler still waits for caches, after something happened to one
	 * that it may read.
	 * @param changed the informer of that cache
	 */
	void reconsider(Informer<?> changed) {
		this.attachment.reconsider(changed,
				changed.spec().equals(spec()) && changed.cluster().equals(this.informers.cluster()));
	}

	@Override
	public List<String> awaiting() {
		CacheWait wait = cacheWait();
		// Which caches it reads is looked for among all beans, and this is asked often.
		return (wait != null && isRunning() && !wait.await().isNothingAwaited()) ? wait.awaited() : List.of();
	}

	@Override
	public void onAttached(Runnable called) {
		this.attached = called;
	}

	@Override
	public @Nullable HandlerRegistration registration() {
		return this.attachment.registration();
	}

	@Override
	public void stop() {
		if (this.terms != null) {
			this.terms.stop();
		}
		else {
			this.attachment.detach();
		}
	}

	@Override
	public boolean isRunning() {
		return (this.terms != null) ? this.terms.isStarted() : this.attachment.isAttached();
	}

	@Override
	public boolean isLeaderOnly() {
		return this.terms != null;
	}

	@Override
	public boolean isStandby() {
		return isLeaderOnly() && isRunning() && registration() == null;
	}

	@Override
	public void pause() {
		hold(true);
	}

	@Override
	public void resume() {
		hold(false);
	}

	private void hold(boolean paused) {
		HandlerTerms followed = this.terms;
		if (followed != null && followed.pause(paused)) {
			HandlerRegistration held = registration();
			if (held != null) {
				HandlerAttachment.hold(held, followed::isPaused, !paused);
			}
		}
		else if (paused) {
			running().pause();
		}
		else {
			running().resume();
		}
	}

	@Override
	public void resync() {
		// A new leader gets everything anyway.
		if (!isStandby()) {
			running().resync();
		}
	}

	@Override
	public boolean hasSynced() {
		HandlerRegistration current = registration();
		return (current != null) ? current.hasSynced() : isStandby() && informer().hasSynced();
	}

	@Override
	public boolean wasSynced() {
		return status().sync().everSynced();
	}

	@Override
	public boolean awaitSync(Duration timeout) throws InterruptedException {
		long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
		while (true) {
			HandlerRegistration awaited = isStandby() ? null : running();
			Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
			if ((awaited != null) ? awaited.awaitSync(left) : informer().awaitSync(left)) {
				return true;
			}
			if (registration() == awaited || !isRunning() || left.isZero()) {
				return false;
			}
			// The term began or ended meanwhile.
		}
	}

	private Informer<T> informer() {
		return this.source.informer();
	}

	@Override
	public Set<String> namespaces() {
		return this.source.namespaces();
	}

	@Override
	public void namespaces(Collection<String> namespaces) {
		this.source.namespaces(namespaces);
	}

	@Override
	public HandlerStatus status() {
		HandlerRegistration current = registration();
		if (current != null) {
			return this.attachment.withHistory(current.status());
		}
		HandlerStatus last = this.attachment.lastStatus();
		return (this.terms != null && this.terms.isStarted()) ? this.terms.standby(last) : last;
	}

	private HandlerRegistration running() {
		HandlerRegistration current = registration();
		if (current == null) {
			throw new IllegalStateException("Handler '%s' is not started".formatted(id()));
		}
		return current;
	}

	@Override
	public String toString() {
		return "handler '%s' of '%s'".formatted(id(), spec());
	}

	/**
	 * What the terms of a leader-only handler do with it.
	 */
	private final class TermAttachment implements HandlerTerms.Attachment {

		private final DefaultInformerHandlerContainer<T> container = DefaultInformerHandlerContainer.this;

		private final TermDeliveries deliveries;

		private TermAttachment(TermDeliveries deliveries) {
			this.deliveries = deliveries;
		}

		@Override
		public Informer<?> informer() {
			return this.container.informer();
		}

		@Override
		public @Nullable Runnable attach(Leadership.Term term, BooleanSupplier paused) {
			return this.container.attach(this.deliveries.during(term, this.container.handler), paused);
		}

		@Override
		public void detach() {
			this.container.attachment.detach();
		}

		@Override
		public void discard() {
			this.container.attachment.discard();
		}

	}

}
