package dev.kubeinformer.spring.observation;

import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.ResourceEvent;

/**
 * What is known of one attempt of a handler to handle an event. The exception that a
 * handler throws is not in it, because its message may quote an object: its class is, and
 * {@link #getError()} is a stand-in that says no more.
 */
public final class InformerHandlerObservationContext extends Observation.Context {

	private final String informer;

	private final String handler;

	private final String resource;

	private final ResourceEvent<?> event;

	private final @Nullable String cluster;

	private volatile @Nullable Boolean succeeded;

	private volatile @Nullable String exception;

	InformerHandlerObservationContext(String informer, String handler, String resource, ResourceEvent<?> event,
			@Nullable String cluster) {
		this.informer = informer;
		this.handler = handler;
		this.resource = resource;
		this.event = event;
		this.cluster = cluster;
	}

	/**
	 * Returns the id of the informer, without the name of its cluster.
	 * @return the id
	 */
	public String getInformer() {
		return this.informer;
	}

	/**
	 * Returns the id of the handler, without the name of its cluster.
	 * @return the id
	 */
	public String getHandler() {
		return this.handler;
	}

	/**
	 * Returns the name of the cluster. Either all observations have one, or none.
	 * @return the name; {@code null} where there is only the default cluster
	 */
	public @Nullable String getCluster() {
		return this.cluster;
	}

	/**
	 * Returns the resource, such as {@code pods} or {@code deployments.apps}.
	 * @return the plural and the group
	 */
	public String getResource() {
		return this.resource;
	}

	/**
	 * Returns the event. What of it becomes a tag must take few values, and what becomes
	 * part of a span leaves the application.
	 * @return the event
	 */
	public ResourceEvent<?> getEvent() {
		return this.event;
	}

	/**
	 * Returns whether the handler returned.
	 * @return whether it did; {@code null} as long as it is busy
	 */
	public @Nullable Boolean getSucceeded() {
		return this.succeeded;
	}

	/**
	 * Returns the simple name of the class of the exception that the handler threw.
	 * @return the name; {@code null} if it threw none
	 */
	public @Nullable String getException() {
		return this.exception;
	}

	void succeeded() {
		this.succeeded = true;
	}

	void failed(Throwable thrown) {
		this.succeeded = false;
		this.exception = HandlerFailure.name(thrown);
	}

}
