package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.util.StringUtils;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlers;
import dev.kubeinformer.spring.leader.ElectedLeadership;
import dev.kubeinformer.spring.rbac.DefinitionRights;
import dev.kubeinformer.spring.rbac.LeaseRights;
import dev.kubeinformer.spring.rbac.RequiredRoles;
import dev.kubeinformer.spring.rbac.UsedResources;
import dev.kubeinformer.spring.reconciler.MissingRights;
import dev.kubeinformer.spring.reconciler.Reconcilers;
import dev.kubeinformer.spring.shard.ShardGroup;

/**
 * Endpoint for informers, handlers, reconcilers and shard slots. It shows them, and the
 * RBAC rules that they need. It pauses, resumes, starts and stops handlers and
 * reconcilers, resyncs handlers, triggers reconcilers, and lets another replica lead. It
 * never shows contents of objects.
 */
@Endpoint(id = "informers", defaultAccess = Access.READ_ONLY)
public final class InformersEndpoint {

	/**
	 * Reserved id of the RBAC rules; no handler or reconciler may have it.
	 */
	static final String RBAC = "rbac";

	static final String YAML = "application/yaml";

	private final ClusterContents contents;

	private final ReconcilerDescriptors descriptors;

	private final @Nullable LeaderOperations leader;

	private final @Nullable ShardsView shards;

	private final RbacDocuments rbac;

	/**
	 * Creates the endpoint.
	 * @param clusters the clusters
	 * @param handlers the handlers
	 * @param reconcilers the reconcilers
	 * @param missingRights the permissions that reconcilers were denied
	 * @param elected the leadership; {@code null} if no Lease decides it
	 * @param leaseCluster the name of the cluster with the Lease
	 * @param roleName the name of the roles in the RBAC rules
	 */
	public InformersEndpoint(ClusterRuntimes clusters, InformerHandlers handlers, Reconcilers reconcilers,
			MissingRights missingRights, @Nullable ElectedLeadership elected, String leaseCluster, String roleName) {
		this(clusters, handlers, reconcilers, missingRights,
				new LeaseRights(elected, leaseCluster, null, InformerClusters.DEFAULT), roleName,
				new DefinitionRights(new UsedResources(clusters, handlers, reconcilers), false, List.of()));
	}

	InformersEndpoint(ClusterRuntimes clusters, InformerHandlers handlers, Reconcilers reconcilers,
			MissingRights missingRights, LeaseRights leases, String roleName, DefinitionRights definitions) {
		this.contents = new ClusterContents(clusters, handlers, reconcilers);
		this.descriptors = new ReconcilerDescriptors(reconcilers, missingRights);
		ElectedLeadership elected = leases.elected();
		this.leader = (elected != null) ? new LeaderOperations(elected, leases.leaseCluster()) : null;
		ShardGroup group = leases.group();
		this.shards = (group != null) ? new ShardsView(group, leases.groupCluster()) : null;
		this.rbac = new RbacDocuments(
				new RequiredRoles(clusters, handlers, reconcilers, missingRights, leases, roleName, definitions),
				clusters);
	}

	/**
	 * Returns all informers, handlers and reconcilers.
	 * @return the descriptions
	 */
	@ReadOperation
	public InformersDescriptor informers() {
		return new InformersDescriptor(sorted(this.contents.informers(), Informer::id, Descriptors::informer),
				sorted(this.contents.allHandlers(), InformerHandlerContainer::id, Descriptors::handler),
				sorted(this.contents.allReconcilers(), ReconcilerContainer::id, this.descriptors::of), leader(),
				shards());
	}

	private @Nullable ShardsDescriptor shards() {
		return (this.shards != null) ? this.shards.descriptor(this.contents.clusters().isMultiple()) : null;
	}

	private @Nullable LeaderDescriptor leader() {
		return (this.leader != null) ? this.leader.descriptor(this.contents.clusters().isMultiple()) : null;
	}

	private static <T, D> List<D> sorted(Stream<ClusterContents.Content<T>> all, Function<? super T, String> id,
			Function<ClusterContents.Content<T>, D> descriptor) {
		return all.sorted(Comparator.comparing((content) -> id.apply(content.value()))).map(descriptor).toList();
	}

	/**
	 * Returns one handler, reconciler or informer, the leader election, the slots, or the
	 * RBAC rules of a cluster.
	 * @param id the id of the handler, reconciler or informer, {@code leader},
	 * {@code shards} or {@code rbac}
	 * @param cluster the name of the cluster of the rules; {@code null} for the default
	 * cluster
	 * @return the description, or the rules as YAML; {@code null} if the id does not
	 * exist
	 * @throws org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException
	 * if the cluster does not exist, or is given with an id
	 */
	@ReadOperation(produces = { "application/vnd.spring-boot.actuator.v3+json",
			"application/vnd.spring-boot.actuator.v2+json", "application/json", YAML })
	public @Nullable Object informer(@Selector String id, @Nullable String cluster) {
		if (id.equals(RBAC)) {
			return this.rbac.of(cluster);
		}
		if (StringUtils.hasText(cluster)) {
			throw RefusedRequestException
				.invalid("'%s' does not accept 'cluster', but '%s' was given; the cluster is part of the "
						+ "id, such as '%s.%s'", id, cluster, cluster, id);
		}
		if (id.equals(LeaderOperations.ID)) {
			return leader();
		}
		return this.contents.handler(id)
			.<Object>map(Descriptors::handler)
			.or(() -> this.contents.reconciler(id).map(this.descriptors::of))
			.or(() -> this.contents.informer(id).map(Descriptors::informer))
			.orElseGet(() -> id.equals(ShardsView.ID) ? shards() : null);
	}

	/**
	 * Performs an action on a handler or reconciler, or lets another replica lead.
	 * @param id the id of the handler or reconciler, or {@code leader}
	 * @param action the action: {@code PAUSE}, {@code RESUME}, {@code START} or
	 * {@code STOP}, {@code RESYNC} with a handler, {@code TRIGGER} with a reconciler,
	 * {@code YIELD} with the leader
	 * @param key the key of the object to trigger, {@code namespace/name}; {@code null}
	 * for all
	 * @return the description of the handler, reconciler or elector after the action
	 * @throws org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException
	 * if the handler, reconciler, action or key does not exist, the handler or reconciler
	 * is not running, or this replica does not lead
	 */
	@WriteOperation
	public Object handle(@Selector String id, @Nullable String action, @Nullable String key) {
		if (id.equals(LeaderOperations.ID)) {
			if (this.leader == null) {
				throw RefusedRequestException.noElection();
			}
			this.leader.apply(action, key);
			return this.leader.descriptor(this.contents.clusters().isMultiple());
		}
		Optional<ClusterContents.Content<InformerHandlerContainer>> handler = this.contents.handler(id);
		if (handler.isEmpty()) {
			ClusterContents.Content<ReconcilerContainer> reconciler = this.contents.reconciler(id)
				.orElseThrow(() -> noHandler(id));
			ReconcilerAction.apply(reconciler.value(), action, key);
			return this.descriptors.of(reconciler);
		}
		HandlerAction.apply(handler.get().value(), action, key);
		return Descriptors.handler(handler.get());
	}

	private RefusedRequestException noHandler(String id) {
		boolean informer = this.contents.informer(id).isPresent();
		if (!informer && !id.equals(RBAC)) {
			return RefusedRequestException.unknown(id);
		}
		String what = informer ? "an informer" : "the list of RBAC rules";
		List<String> others = this.contents.reconcilerIds();
		return others.isEmpty()
				? RefusedRequestException.invalid("'%s' is %s; actions are for handlers, which are %s", id, what,
						this.contents.handlerIds())
				: RefusedRequestException.invalid(
						"'%s' is %s; actions are for handlers, which are %s, and reconcilers, which are %s", id, what,
						this.contents.handlerIds(), others);
	}

}
