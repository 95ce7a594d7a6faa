package dev.kubeinformer.sample;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Profile;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Three replicas that share the slots of the embedded API on this machine. Each can be
 * ended and started again.
 */
@Component
@Profile("shards & !cluster")
class ShardReplicas implements DisposableBean {

	private static final List<String> NAMES = List.of("replica-a", "replica-b", "replica-c");

	private final EmbeddedKubernetes kubernetes;

	private final int slots;

	private final int objects;

	/** Running replicas by name. Guarded by this. */
	private final Map<String, ConfigurableApplicationContext> running = new LinkedHashMap<>();

	ShardReplicas(EmbeddedKubernetes kubernetes, @Value("${sample.shards.slots}") int slots,
			@Value("${sample.shards.objects}") int objects) {
		this.kubernetes = kubernetes;
		this.slots = slots;
		this.objects = objects;
	}

	@EventListener(ApplicationReadyEvent.class)
	void begin() {
		for (int i = 0; i < this.objects; i++) {
			this.kubernetes.resources(V1ConfigMap.class)
				.create(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("shop").name("order-" + i)));
		}
		NAMES.forEach(this::start);
	}

	/**
	 * Starts a replica, unless it is running.
	 * @param name the name of the replica
	 */
	synchronized void start(String name) {
		if (NAMES.contains(name) && !this.running.containsKey(name)) {
			this.running.put(name, new SpringApplicationBuilder(ShardReplica.class).web(WebApplicationType.NONE)
				.bannerMode(Banner.Mode.OFF)
				.registerShutdownHook(false)
				// The settings of the sample itself are for other handlers.
				.run("--spring.config.name=shard-replica", "--spring.profiles.active=",
						"--kubernetes.client.url=" + this.kubernetes.url(),
						"--kubernetes.informers.shard.slots=" + this.slots,
						"--kubernetes.informers.shard.identity=" + name));
		}
	}

	/**
	 * Ends a replica, which hands its slots over.
	 * @param name the name of the replica
	 */
	void end(String name) {
		ConfigurableApplicationContext ending;
		synchronized (this) {
			ending = this.running.remove(name);
		}
		if (ending != null) {
			ending.close();
		}
	}

	/**
	 * Returns the replicas with their slots.
	 * @return the state of each replica
	 */
	synchronized State state() {
		List<Replica> replicas = new ArrayList<>();
		for (String name : NAMES) {
			ShardReplica replica = replica(name);
			replicas.add((replica != null)
					? new Replica(name, true, List.copyOf(new TreeSet<>(replica.shards().slots())),
							replica.configMaps().list().size())
					: new Replica(name, false, List.of(), 0));
		}
		return new State(this.slots, this.objects, replicas);
	}

	private @Nullable ShardReplica replica(String name) {
		ConfigurableApplicationContext context = this.running.get(name);
		return (context != null) ? context.getBean(ShardReplica.class) : null;
	}

	@Override
	public void destroy() {
		NAMES.forEach(this::end);
	}

	/**
	 * State of all replicas.
	 *
	 * @param slots the number of slots
	 * @param objects the number of objects at the start
	 * @param replicas the replicas
	 */
	record State(int slots, int objects, List<Replica> replicas) {

	}

	/**
	 * State of a replica.
	 *
	 * @param name the name of the replica
	 * @param running whether the replica is running
	 * @param slots the slots that it holds
	 * @param objects the number of objects in its cache
	 */
	record Replica(String name, boolean running, List<Integer> slots, int objects) {

	}

}
