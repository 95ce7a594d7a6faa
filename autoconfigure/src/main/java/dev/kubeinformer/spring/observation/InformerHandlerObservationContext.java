package dev.kubeinformer.spring.observation;

import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.ResourceEvent;

/**
 * Context of one attempt of a handler to handle an event. It does not contain the
 * exception of the handler, because the message of the exception may quote an object. It
 * contains the name of the exception's class, and {@link #getError()} returns a
 * placeholder.
 */
public final class InformerHandlerObservationContext extends Observation.Context {

	private final String informer;

	private final String handler;

	private final String resource;

	private final ResourceEvent<?> event;

	private final @Nullable String cluster;

	private final boolean objectNamed;

	private volatile @Nullable Boolean succeeded;

	private volatile @Nullable String exception;

	InformerHandlerObservationContext(String informer, String handler, String resource, ResourceEvent<?> event,
			@Nullable String cluster, boolean objectNamed) {
		this.informer = informer;
		this.handler = handler;
		this.resource = resource;
		this.event = event;
		this.cluster = cluster;
		this.objectNamed = objectNamed;
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
	 * Returns the name of the cluster. Either all observations of the application have a
	 * cluster, or none.
	 * @return the name; {@code null} if there is only the default cluster
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
	 * Returns the event. For a tag of meters, use only a part of the event that has few
	 * different values. Do not use confidential parts for tags of spans either, because
	 * spans are exported from the application.
	 * @return the event
	 */
	public ResourceEvent<?> getEvent() {
		return this.event;
	}

	/**
	 * Returns whether spans have the namespace and the name of the object as tags.
	 * @return the value of {@code kubernetes.informers.observations.object-names}
	 */
	public boolean isObjectNamed() {
		return this.objectNamed;
	}

	/**
	 * Returns whether the handler succeeded.
	 * @return {@code true} if the handler returned, {@code false} if it threw an
	 * exception; {@code null} while it is running
	 */
	public @Nullable Boolean getSucceeded() {
		return this.succeeded;
	}

	/**
	 * Returns the simple name of the class of the exception that the handler threw.
	 * @return the name; {@code null} if there was none
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
