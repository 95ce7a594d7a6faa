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
 * What the {@link InformersEndpoint} answers over HTTP: content types, and statuses with
 * a sentence.
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
	 * Returns one handler, reconciler or informer, the election of a leader, or the RBAC
	 * rules of all in a cluster.
	 * @param id the id of the handler, reconciler or informer, {@code leader} or
	 * {@code rbac}
	 * @param cluster the name of the cluster whose rules are asked for; {@code null} for
	 * the default one
	 * @return what it is doing, the rules as YAML, status 404 if there is nothing of that
	 * id or no such cluster, or 400 if a cluster is given with an id
	 */
	// The media types are those of the operation that this one replaces.
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
	 * Does something with a handler or reconciler, or lets another replica lead.
	 * @param id the id of the handler or reconciler, or {@code leader}
	 * @param action what to do
	 * @param key the key of the object that is triggered; {@code null} for all
	 * @return what it is doing after that; status 400 if there is no such action or key,
	 * 404 if there is no such handler or reconciler, 409 if it does not run, or does not
	 * lead
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
