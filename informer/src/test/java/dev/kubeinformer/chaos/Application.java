package dev.kubeinformer.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.ClusterSupport;
import dev.kubeinformer.FastInformers;
import dev.kubeinformer.Informers;
import dev.kubeinformer.chaos.ChaosCluster.Kind;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.InformerSpec;

/**
 * An application with reconcilers, of which there are some replicas and one leader. At
 * rest each parent has one child of each reconciler, with its value, and there is no
 * other child; at no time do two replicas lead, or two runs of a key go on.
 */
final class Application implements AutoCloseable {

	private static final int REPLICAS = 3;

	private final Oversight oversight = new Oversight();

	private final List<Replica> replicas = new ArrayList<>();

	/** Sees what the API server stores, over a network that is never disturbed. */
	private final Informers witness;

	Application(Path kubeconfig, UnaryOperator<ApiClient> tuning) throws IOException {
		String lease = "chaos-" + UUID.randomUUID().toString().substring(0, 8);
		for (int i = 0; i < REPLICAS; i++) {
			this.replicas.add(new Replica("replica-" + i, kubeconfig, lease, tuning, this.oversight).led());
		}
		this.replicas.get(0).alone();
		this.witness = FastInformers.builder(ClusterSupport.client(kubeconfig)).build();
		this.witness.informer(InformerSpec.of(V1Secret.class).withLabelSelector(Replica.CHILD + "=" + Replica.LED))
			.addHandler(this::see, HandlerOptions.defaults());
	}

	private void see(ResourceEvent<V1Secret> event) {
		if (event.type() != ResourceEvent.Type.DELETE) {
			V1ObjectMeta metadata = event.object().getMetadata();
			this.oversight.stored(Long.parseLong(metadata.getAnnotations().get(Replica.TERM)),
					Long.parseLong(metadata.getResourceVersion()));
		}
	}

	void start() {
		this.witness.start();
		this.replicas.forEach(Replica::start);
		this.oversight.watch(this.replicas.stream().map(Replica::elector).toList());
	}

	List<Replica> replicas() {
		return this.replicas;
	}

	/**
	 * Returns the replica that leads.
	 * @return the leader; {@code null} if there is none at this moment
	 */
	@Nullable Replica leader() {
		return this.replicas.stream().filter((each) -> each.elector().isLeader()).findFirst().orElse(null);
	}

	List<String> wrong() {
		return this.oversight.wrong();
	}

	/**
	 * Returns the first violation of a condition at rest.
	 * @param cluster the cluster
	 * @return the first difference, or an empty text
	 */
	String difference(ChaosCluster cluster) {
		if (leader() == null) {
			return "No replica leads: " + this.replicas.stream().map((each) -> each.elector().status()).toList();
		}
		String busy = this.replicas.stream()
			.map(Replica::busy)
			.filter((each) -> !each.isEmpty())
			.findFirst()
			.orElse("");
		if (!busy.isEmpty()) {
			return busy;
		}
		Map<String, DynamicKubernetesObject> parents = cluster.list(Kind.PARENTS)
			.stream()
			.collect(Collectors.toMap((parent) -> parent.getMetadata().getUid(), (parent) -> parent));
		for (ChaosCluster.Child child : ChaosCluster.Child.values()) {
			String difference = difference(parents, child, cluster.list(child));
			if (!difference.isEmpty()) {
				return difference;
			}
		}
		return "";
	}

	private static String difference(Map<String, DynamicKubernetesObject> parents, ChaosCluster.Child kind,
			List<DynamicKubernetesObject> children) {
		Map<String, List<DynamicKubernetesObject>> byOwner = new TreeMap<>();
		for (DynamicKubernetesObject child : children) {
			V1OwnerReference owner = child.getMetadata().getOwnerReferences().get(0);
			if (!parents.containsKey(owner.getUid())) {
				return "The child %s of '%s' has no parent: %s".formatted(Version.key(child), kind, owner.getName());
			}
			byOwner.computeIfAbsent(owner.getUid(), (uid) -> new ArrayList<>()).add(child);
		}
		for (DynamicKubernetesObject parent : parents.values()) {
			List<DynamicKubernetesObject> own = byOwner.getOrDefault(parent.getMetadata().getUid(), List.of());
			String value = parent.getRaw().has("value") ? parent.getRaw().get("value").getAsString() : "0";
			if (own.size() != 1 || parent.getMetadata().getDeletionTimestamp() != null
					|| !value.equals(own.get(0).getMetadata().getAnnotations().get(Replica.VALUE))) {
				return "The parent %s (%s) has these children of '%s': %s".formatted(Version.key(parent),
						parent.getRaw(), kind, own.stream().map(DynamicKubernetesObject::getRaw).toList());
			}
		}
		return "";
	}

	@Override
	public String toString() {
		long terms = this.replicas.stream().mapToLong((each) -> each.elector().status().terms()).sum();
		long failures = this.replicas.stream().mapToLong(Replica::failures).sum();
		return "%d replicas, %d terms, %d with writes, %d runs (%d failed)".formatted(this.replicas.size(), terms,
				this.oversight.terms(), this.oversight.runs(), failures);
	}

	@Override
	public void close() {
		this.oversight.close();
		this.replicas.forEach(Replica::close);
		this.witness.close();
	}

}
