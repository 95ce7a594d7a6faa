package dev.kubeinformer.spring.handler.event;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEvent;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerError;
import dev.kubeinformer.types.InformerState;

/**
 * Application event that is published when an informer cannot list or watch. The informer
 * keeps retrying; it has recovered when its state is {@link InformerState#LIVE}. During
 * an outage, the event is published once for each state, not for each attempt, on a
 * separate thread.
 */
public class InformerFailedEvent extends ApplicationEvent {

	private static final long serialVersionUID = 1L;

	private final transient Informer<?> informer;

	private final InformerState state;

	private final transient @Nullable InformerError error;

	InformerFailedEvent(Informer<?> informer, InformerState state, @Nullable InformerError error) {
		super(informer);
		this.informer = informer;
		this.state = state;
		this.error = error;
	}

	/**
	 * Returns the informer that cannot list or watch.
	 * @return the informer
	 */
	public Informer<?> getInformer() {
		return this.informer;
	}

	/**
	 * Returns the name of the cluster that is listed and watched.
	 * @return the name; {@code default} for the default cluster
	 */
	public String getCluster() {
		return this.informer.cluster();
	}

	/**
	 * Returns the state of the informer: {@code STALE} if its cache is no longer kept
	 * current, {@code SYNCING} if it has never been synced, {@code FORBIDDEN} or
	 * {@code NOT_FOUND}.
	 * @return the state
	 */
	public InformerState getState() {
		return this.state;
	}

	/**
	 * Returns the error.
	 * @return the error; {@code null} if unknown
	 */
	public @Nullable InformerError getError() {
		return this.error;
	}

	@Override
	public String toString() {
		return "InformerFailedEvent[informer '%s' is %s]".formatted(this.informer.id(), this.state);
	}

}
