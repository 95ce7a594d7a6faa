package dev.kubeinformer.spring.observation;

import java.util.Locale;
import java.util.Objects;
import java.util.function.BiConsumer;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.RunScope;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Problem;

/**
 * Context of one write of a run. A tracer adds the trace context to the headers of the
 * request, so that the API server receives it. This object contains neither the written
 * object nor the exception.
 */
public final class ReconcilerWriteObservationContext extends SenderContext<BiConsumer<String, String>> {

	private final String reconciler;

	private final RunScope.Write write;

	private final @Nullable String cluster;

	private final boolean objectNamed;

	private volatile @Nullable String status;

	private volatile @Nullable String exception;

	ReconcilerWriteObservationContext(String reconciler, RunScope.Write write, BiConsumer<String, String> headers,
			@Nullable String cluster, boolean objectNamed) {
		super((carrier, key, value) -> Objects.requireNonNull(carrier).accept(key, value), Kind.CLIENT);
		setCarrier(headers);
		setRemoteServiceName("kubernetes");
		this.reconciler = reconciler;
		this.write = write;
		this.cluster = cluster;
		this.objectNamed = objectNamed;
	}

	/**
	 * Returns the id of the reconciler, without the name of its cluster.
	 * @return the id
	 */
	public String getReconciler() {
		return this.reconciler;
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
	 * Returns the verb.
	 * @return {@code create}, {@code apply}, {@code patch}, {@code update} or
	 * {@code delete}
	 */
	public String getVerb() {
		return this.write.verb();
	}

	/**
	 * Returns the written resource.
	 * @return the plural, the group and the subresource, such as
	 * {@code deployments.apps/status}
	 */
	public String getResource() {
		return this.write.resource();
	}

	/**
	 * Returns the namespace and the name of the written object. Do not use them as a tag
	 * of meters, because the number of keys is not limited. If you use them as a tag of
	 * spans, they are exported from the application.
	 * @return the key; its name is empty if the API server generates it
	 */
	public ObjectKey getKey() {
		return this.write.key();
	}

	/**
	 * Returns whether spans have the namespace and the name of the object as tags.
	 * @return the value of {@code kubernetes.informers.observations.object-names}
	 */
	public boolean isObjectNamed() {
		return this.objectNamed;
	}

	/**
	 * Returns the HTTP status of the response, or the kind of the failure.
	 * @return the status, such as {@code 409}; {@code null} while the request is active.
	 * Without a response, {@code cancelled} if the run has ended or may no longer write,
	 * otherwise a {@link Problem} in lower case, such as {@code silent}
	 */
	public @Nullable String getStatus() {
		return this.status;
	}

	/**
	 * Returns the simple name of the class of the exception, if there is no response.
	 * @return the name; {@code null} if the API server has responded
	 */
	public @Nullable String getException() {
		return this.exception;
	}

	void answered(int code) {
		this.status = Integer.toString(code);
	}

	void unanswered(@Nullable Problem problem, Throwable failure) {
		this.status = (problem != null) ? problem.name().toLowerCase(Locale.ROOT) : "cancelled";
		this.exception = HandlerFailure.name(failure);
	}

}
