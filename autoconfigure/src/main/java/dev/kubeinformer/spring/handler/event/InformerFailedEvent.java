package dev.kubeinformer.spring.handler.event;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEvent;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerError;
import dev.kubeinformer.types.InformerState;

/**
 * Application event: an informer cannot list or watch. It goes on trying; a later
 * {@link InformerState#LIVE} means that the failure is over. It is published once for
 * each state that an outage brings, not for each attempt, by a thread of its own.
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
	 * @return the name; {@code default} for the default one
	 */
	public String getCluster() {
		return this.informer.cluster();
	}

	/**
	 * Returns the state of the informer: {@code STALE} if it has objects that are not
	 * kept up to date, {@code SYNCING} if it never had all, {@code FORBIDDEN} or
	 * {@code NOT_FOUND}.
	 * @return the state
	 */
	public InformerState getState() {
		return this.state;
	}

	/**
	 * Returns what went wrong.
	 * @return the error, {@code null} if it is not known
	 */
	public @Nullable InformerError getError() {
		return this.error;
	}

	@Override
	public String toString() {
		return "InformerFailedEvent[informer '%s' is %s]".formatted(this.informer.id(), this.state);
	}

}
