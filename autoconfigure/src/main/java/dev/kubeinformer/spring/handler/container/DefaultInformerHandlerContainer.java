package dev.kubeinformer.spring.handler.container;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
import dev.kubeinformer.spi.CallbackAware;
import dev.kubeinformer.spi.DeliveryFence;
import dev.kubeinformer.spring.handler.InformerErrorHandler;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.NamespaceOverrides;
import dev.kubeinformer.spring.handler.RegistrationAware;
import dev.kubeinformer.spring.settings.Setting;

/**
 * Default {@link InformerHandlerContainer} of one handler.
 *
 * @param <T> the model class
 */
final class DefaultInformerHandlerContainer<T extends KubernetesObject> implements RegistrationAware, CallbackAware {

	private final Informers informers;

	private final HandlerDefinition<T> definition;

	private final EventHandler<T> handler;

	private final @Nullable HandlerDependencies wait;

	private final Map<ResourceEvent.Type, Method> methods;

	private final HandlerOptions options;

	private final HandlerAttachment<T> attachment;

	private final HandlerSource<T> source;

	private volatile boolean retired;

	private volatile Runnable attached = () -> {
	};

	DefaultInformerHandlerContainer(Informers informers, HandlerDefinition<T> definition, EventHandler<T> handler,
			@Nullable HandlerDependencies wait, Map<ResourceEvent.Type, Method> methods, @Nullable DeliveryFence fence,
			NamespaceOverrides changed) {
		this.informers = informers;
		this.source = new HandlerSource<>(definition.id(), informers, definition.spec(), changed);
		this.definition = definition;
		this.wait = wait;
		this.handler = (wait != null) ? wait.waiting(handler, () -> isRunning() && !isStandby()) : handler;
		this.methods = methods;
		this.options = definition.options().withFence(fence).withExhausted(this::exhausted);
		this.attachment = new HandlerAttachment<>(this.options, wait);
	}

	private void exhausted(ResourceEvent<?> event, Throwable failure) {
		InformerErrorHandler errorHandler = this.definition.errorHandler().get();
		if (errorHandler != null) {
			errorHandler.handle(event, failure, this);
		}
	}

	/**
	 * Registers the informer of the handler, so that it starts with the other informers.
	 */
	void prepare() {
		informer();
	}

	/**
	 * Retires the container permanently: stops and drains the handler, and releases its
	 * informer.
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
			// Ignore the exception if the handler was unregistered during the call,
			// because the informer then no longer exists.
			if (!this.retired) {
				throw ex;
			}
		}
	}

	private void attachNow() {
		if (!this.retired && this.attachment.attach(informer(), this.handler)) {
			this.attached.run();
			if (this.retired) {
				// The handler was unregistered during the call.
				this.attachment.detach();
			}
		}
	}

	/**
	 * Checks again whether delivery must wait for caches. Called when the state of a
	 * cache that the handler may read has changed.
	 * @param changed the informer of the cache
	 */
	void reconsider(Informer<?> changed) {
		this.attachment.reconsider(changed,
				changed.spec().equals(spec()) && changed.cluster().equals(this.informers.cluster()));
	}

	@Override
	public List<String> awaiting() {
		// This method is called often, so search all beans only if a cache may be
		// unfilled.
		return (this.wait != null && isRunning() && !this.wait.await().isNothingAwaited()) ? this.wait.awaited()
				: List.of();
	}

	@Override
	public void onAttached(Runnable called) {
		this.attached = called;
	}

	@Override
	public @Nullable HandlerRegistration registration() {
		return isStandby() ? null : this.attachment.registration();
	}

	@Override
	public void stop() {
		this.attachment.detach();
	}

	@Override
	public boolean isInCallback() {
		HandlerRegistration current = this.attachment.registration();
		return current != null && CallbackAware.isInCallback(current);
	}

	@Override
	public boolean isRunning() {
		return this.attachment.isAttached();
	}

	@Override
	public boolean isLeaderOnly() {
		return this.options.leadership() != null;
	}

	@Override
	public boolean isStandby() {
		HandlerRegistration current = this.attachment.registration();
		return current != null && current.isStandby();
	}

	@Override
	public void pause() {
		running().pause();
	}

	@Override
	public void resume() {
		running().resume();
	}

	@Override
	public void resync() {
		running().resync();
	}

	@Override
	public boolean hasSynced() {
		HandlerRegistration current = this.attachment.registration();
		return current != null && current.hasSynced();
	}

	@Override
	public boolean wasSynced() {
		return status().sync().everSynced();
	}

	@Override
	public boolean awaitSync(Duration timeout) throws InterruptedException {
		return running().awaitSync(timeout);
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
		HandlerRegistration current = this.attachment.registration();
		return (current != null) ? this.attachment.withHistory(current.status()) : this.attachment.lastStatus();
	}

	private HandlerRegistration running() {
		HandlerRegistration current = this.attachment.registration();
		if (current == null) {
			throw new IllegalStateException("Handler '%s' is not started".formatted(id()));
		}
		return current;
	}

	@Override
	public String toString() {
		return "handler '%s' of '%s'".formatted(id(), spec());
	}

}
