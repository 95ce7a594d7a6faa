package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

import dev.kubeinformer.Informer;
import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;

/**
 * Endpoint that shows informers and handlers, lists the RBAC rules that they need, and
 * pauses, resumes, resyncs, starts and stops handlers. It never shows what objects hold.
 */
@Endpoint(id = "informers", defaultAccess = Access.READ_ONLY)
public final class InformersEndpoint {

	/**
	 * Takes the place of an id; no handler may have it.
	 */
	static final String RBAC = "rbac";

	static final String YAML = "application/yaml";

	private final Informers informers;

	private final InformerHandlerRegistry handlers;

	private final String roleName;

	/**
	 * Creates the endpoint.
	 * @param informers the informers
	 * @param handlers the handlers
	 * @param roleName the name of the roles in the RBAC rules
	 */
	public InformersEndpoint(Informers informers, InformerHandlerRegistry handlers, String roleName) {
		this.informers = informers;
		this.handlers = handlers;
		this.roleName = roleName;
	}

	/**
	 * Returns all informers and handlers.
	 * @return what they are doing
	 */
	@ReadOperation
	public InformersDescriptor informers() {
		List<InformerDescriptor> all = this.informers.all()
			.stream()
			.sorted(Comparator.comparing(Informer::id))
			.map(Descriptors::of)
			.toList();
		return new InformersDescriptor(all,
				this.handlers.all()
					.stream()
					.sorted(Comparator.comparing(InformerHandlerContainer::id))
					.map(Descriptors::of)
					.toList());
	}

	/**
	 * Returns one handler or informer, or the RBAC rules of all.
	 * @param id the id of the handler or informer, or {@code rbac}
	 * @return what it is doing, or the rules as YAML; {@code null} if nothing has that id
	 */
	@ReadOperation(produces = { "application/vnd.spring-boot.actuator.v3+json",
			"application/vnd.spring-boot.actuator.v2+json", "application/json", YAML })
	public @Nullable Object informer(@Selector String id) {
		if (id.equals(RBAC)) {
			return RbacRoles.of(this.informers, this.handlers).toYaml(this.roleName);
		}
		Optional<InformerHandlerContainer> handler = handler(id);
		if (handler.isPresent()) {
			return Descriptors.of(handler.get());
		}
		return this.informers.all()
			.stream()
			.filter((informer) -> informer.id().equals(id))
			.findFirst()
			.map(Descriptors::of)
			.orElse(null);
	}

	/**
	 * Does something with a handler.
	 * @param id the id of the handler
	 * @param action what to do: {@code PAUSE}, {@code RESUME}, {@code RESYNC},
	 * {@code START} or {@code STOP}
	 * @return what the handler is doing after that
	 * @throws org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException
	 * if there is no such handler or action, or the handler does not run
	 */
	@WriteOperation
	public HandlerDescriptor handle(@Selector String id, @Nullable String action) {
		InformerHandlerContainer handler = handler(id).orElseThrow(() -> noHandler(id));
		HandlerAction wanted = HandlerAction.of(action);
		if (wanted.needsRunningHandler() && !handler.isRunning()) {
			throw RefusedRequestException.conflict("Handler '%s' is stopped, so there is nothing to %s; START it first"
				.formatted(id, wanted.name().toLowerCase(Locale.ROOT)));
		}
		wanted.apply(handler);
		return Descriptors.of(handler);
	}

	private Optional<InformerHandlerContainer> handler(String id) {
		return this.handlers.all().stream().filter((handler) -> handler.id().equals(id)).findFirst();
	}

	private RefusedRequestException noHandler(String id) {
		boolean informer = this.informers.all().stream().anyMatch((each) -> each.id().equals(id));
		if (!informer && !id.equals(RBAC)) {
			return RefusedRequestException.unknown(id);
		}
		List<String> ids = this.handlers.all().stream().map(InformerHandlerContainer::id).sorted().toList();
		return RefusedRequestException.invalid("'%s' is %s; actions are for handlers, which are %s".formatted(id,
				informer ? "an informer" : "the list of RBAC rules", ids));
	}

}
