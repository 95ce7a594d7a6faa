package dev.kubeinformer.spring.autoconfigure.endpoint;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

/**
 * Web extension of the {@link InformersEndpoint} with content types, status codes and
 * error messages.
 */
@EndpointWebExtension(endpoint = InformersEndpoint.class)
@ImportRuntimeHints(InformersEndpointRuntimeHints.class)
public final class InformersEndpointWebExtension {

	private static final MimeType YAML = MimeType.valueOf(InformersEndpoint.YAML);

	private final InformersEndpoint delegate;

	/**
	 * Creates the extension.
	 * @param delegate the endpoint
	 */
	public InformersEndpointWebExtension(InformersEndpoint delegate) {
		this.delegate = delegate;
	}

	/**
	 * Returns one handler, reconciler or informer, the leader election, the slots, or the
	 * RBAC rules of a cluster.
	 * @param id the id of the handler, reconciler or informer, {@code leader},
	 * {@code shards} or {@code rbac}
	 * @param cluster the name of the cluster of the rules; {@code null} for the default
	 * cluster
	 * @return the description, or the rules as YAML; status 404 if the id or the cluster
	 * does not exist, 400 if a cluster is given with an id
	 */
	// These are the media types of the operation that this one replaces.
	@ReadOperation(produces = { "application/vnd.spring-boot.actuator.v3+json",
			"application/vnd.spring-boot.actuator.v2+json", "application/json", InformersEndpoint.YAML })
	public WebEndpointResponse<Object> informer(@Selector String id, @Nullable String cluster) {
		try {
			Object found = this.delegate.informer(id, cluster);
			if (found == null) {
				return refused(id.equals(LeaderOperations.ID) ? RefusedRequestException.noElection()
						: RefusedRequestException.unknown(id));
			}
			return new WebEndpointResponse<>(found, WebEndpointResponse.STATUS_OK,
					(found instanceof String) ? YAML : null);
		}
		catch (RefusedRequestException ex) {
			return refused(ex);
		}
	}

	/**
	 * Performs an action on a handler or reconciler, or lets another replica lead.
	 * @param id the id of the handler or reconciler, or {@code leader}
	 * @param action the action
	 * @param key the key of the object to trigger; {@code null} for all
	 * @return the description after the action; status 400 if the action or key does not
	 * exist, 404 if the handler or reconciler does not exist, 409 if it is not running or
	 * this replica does not lead
	 */
	@WriteOperation
	public WebEndpointResponse<Object> handle(@Selector String id, @Nullable String action, @Nullable String key) {
		try {
			return new WebEndpointResponse<>(this.delegate.handle(id, action, key));
		}
		catch (RefusedRequestException ex) {
			return refused(ex);
		}
	}

	private static WebEndpointResponse<Object> refused(RefusedRequestException cause) {
		return new WebEndpointResponse<>(new ProblemDescriptor(String.valueOf(cause.getReason())), cause.getStatus(),
				MimeTypeUtils.APPLICATION_JSON);
	}

}
