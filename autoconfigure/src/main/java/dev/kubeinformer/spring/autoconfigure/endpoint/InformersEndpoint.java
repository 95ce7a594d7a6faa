package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.Collection;
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
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.reconciler.MissingRights;
import dev.kubeinformer.spring.reconciler.Reconcilers;

/**
 * Endpoint that shows informers, handlers and reconcilers, lists the RBAC rules that they
 * need, and pauses, resumes, starts and stops handlers and reconcilers, resyncs handlers
 * and triggers reconcilers. It never shows what objects hold.
 */
@Endpoint(id = "informers", defaultAccess = Access.READ_ONLY)
public final class InformersEndpoint {

	/**
	 * Takes the place of an id; no handler or reconciler may have it.
	 */
	static final String RBAC = "rbac";

	static final String YAML = "application/yaml";

	private final Informers informers;

	private final InformerHandlerRegistry handlers;

	private final Reconcilers reconcilers;

	private final MissingRights missingRights;

	private final ReconcilerDescriptors descriptors;

	private final String roleName;

	/**
	 * Creates the endpoint.
	 * @param informers the informers
	 * @param handlers the handlers
	 * @param reconcilers the reconcilers
	 * @param missingRights the rights that reconcilers were refused
	 * @param roleName the name of the roles in the RBAC rules
	 */
	public InformersEndpoint(Informers informers, InformerHandlerRegistry handlers, Reconcilers reconcilers,
			MissingRights missingRights, String roleName) {
		this.informers = informers;
		this.handlers = handlers;
		this.reconcilers = reconcilers;
		this.missingRights = missingRights;
		this.descriptors = new ReconcilerDescriptors(reconcilers, missingRights);
		this.roleName = roleName;
	}

	/**
	 * Returns all informers, handlers and reconcilers.
	 * @return what they are doing
	 */
	@ReadOperation
	public InformersDescriptor informers() {
		return new InformersDescriptor(
				this.informers.all().stream().sorted(Comparator.comparing(Informer::id)).map(Descriptors::of).toList(),
				this.handlers.all()
					.stream()
					.sorted(Comparator.comparing(InformerHandlerContainer::id))
					.map(Descriptors::of)
					.toList(),
				allReconcilers().stream()
					.sorted(Comparator.comparing(ReconcilerContainer::id))
					.map(this.descriptors::of)
					.toList());
	}

	/**
	 * Returns one handler, reconciler or informer, or the RBAC rules of all.
	 * @param id the id of the handler, reconciler or informer, or {@code rbac}
	 * @return what it is doing, or the rules as YAML; {@code null} if nothing has that id
	 */
	@ReadOperation(produces = { "application/vnd.spring-boot.actuator.v3+json",
			"application/vnd.spring-boot.actuator.v2+json", "application/json", YAML })
	public @Nullable Object informer(@Selector String id) {
		if (id.equals(RBAC)) {
			return RbacRoles.of(this.informers, this.handlers, this.reconcilers, this.missingRights)
				.toYaml(this.roleName);
		}
		Optional<InformerHandlerContainer> handler = handler(id);
		if (handler.isPresent()) {
			return Descriptors.of(handler.get());
		}
		ReconcilerContainer reconciler = reconciler(id);
		if (reconciler != null) {
			return this.descriptors.of(reconciler);
		}
		return this.informers.all()
			.stream()
			.filter((informer) -> informer.id().equals(id))
			.findFirst()
			.map(Descriptors::of)
			.orElse(null);
	}

	/**
	 * Does something with a handler or reconciler.
	 * @param id the id of the handler or reconciler
	 * @param action what to do: {@code PAUSE}, {@code RESUME}, {@code START} or
	 * {@code STOP}, {@code RESYNC} with a handler, {@code TRIGGER} with a reconciler
	 * @param key the key of the object that is triggered, {@code namespace/name};
	 * {@code null} for all
	 * @return what the handler or reconciler is doing after that
	 * @throws org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException
	 * if there is no such handler, reconciler, action or key, or if it does not run
	 */
	@WriteOperation
	public Object handle(@Selector String id, @Nullable String action, @Nullable String key) {
		ReconcilerContainer reconciler = reconciler(id);
		if (reconciler != null && handler(id).isEmpty()) {
			ReconcilerAction.apply(reconciler, action, key);
			return this.descriptors.of(reconciler);
		}
		InformerHandlerContainer handler = handler(id).orElseThrow(() -> noHandler(id));
		HandlerAction wanted = HandlerAction.of(action, key);
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

	private @Nullable ReconcilerContainer reconciler(String id) {
		return allReconcilers().stream().filter((container) -> container.id().equals(id)).findFirst().orElse(null);
	}

	private Collection<ReconcilerContainer> allReconcilers() {
		return this.reconcilers.of(this.informers).all();
	}

	private RefusedRequestException noHandler(String id) {
		boolean informer = this.informers.all().stream().anyMatch((each) -> each.id().equals(id));
		if (!informer && !id.equals(RBAC)) {
			return RefusedRequestException.unknown(id);
		}
		List<String> ids = this.handlers.all().stream().map(InformerHandlerContainer::id).sorted().toList();
		List<String> others = allReconcilers().stream().map(ReconcilerContainer::id).sorted().toList();
		return RefusedRequestException.invalid("'%s' is %s; actions are for handlers, which are %s%s".formatted(id,
				informer ? "an informer" : "the list of RBAC rules", ids,
				others.isEmpty() ? "" : ", and reconcilers, which are " + others));
	}

}
