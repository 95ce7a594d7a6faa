package dev.kubeinformer.internal.runtime;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Predicate;

import io.kubernetes.client.openapi.ApiClient;

import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.pool.PoolBudget;
import dev.kubeinformer.internal.http.OwnConnections;
import dev.kubeinformer.internal.reflector.Outages;
import dev.kubeinformer.internal.reflector.Reflector;
import dev.kubeinformer.internal.reflector.ReflectorTimings;
import dev.kubeinformer.internal.reflector.SyncSlots;
import dev.kubeinformer.internal.transport.ApiConnections;
import dev.kubeinformer.internal.transport.ApiConnections.Deadlines;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ClusterName;
import dev.kubeinformer.types.ListMode;

/**
 * Creates the resources that informers share, from a client and the settings of the
 * informers.
 *
 * @param cluster the cluster, for thread names
 * @param decoding the settings for decoding objects
 * @param pools the memory budget that the pools of all decoders share
 * @param lists the settings for lists
 * @param timings the durations of the protocol
 * @param clocks the clocks
 * @param threads the factory of the reflectors' threads
 * @param writes the limits for connections that only writes use
 */
public record RuntimeFactory(ClusterName cluster, DecodingSettings decoding, PoolBudget pools, ListSettings lists,
		ReflectorTimings timings, InformerRuntime.Clocks clocks, ThreadFactory threads, OwnConnections.Limits writes) {

	/**
	 * Idle timeout of a list, slightly longer than the 60 s after which kube-apiserver
	 * ends a list, so that its 504 is received.
	 */
	private static final Duration LIST_IDLE = Duration.ofSeconds(65);

	public InformerRuntime runtime(ApiClient client) {
		ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, (work) -> {
			Thread thread = new Thread(work, threadName("timer"));
			thread.setDaemon(true);
			return thread;
		}, new ThreadPoolExecutor.DiscardPolicy());
		timer.setRemoveOnCancelPolicy(true);
		Deadlines deadlines = new Deadlines(LIST_IDLE, this.timings.idleTimeout(), this.timings.watchOverrun());
		return new InformerRuntime(
				new ApiConnections(client, deadlines, this.clocks.nanoTime(), threadName("credentials"), this.writes),
				this.decoding::of,
				new Reflector.Options(this.timings, this.lists.mode(), this.lists.pageSize(), this.clocks.nanoTime(),
						ThreadLocalRandom::current, timer),
				this.pools, new SyncSlots(this.lists.concurrent(), this.timings.slotPatience(), this.clocks.nanoTime()),
				new Outages(server(), this.timings, this.clocks.nanoTime(), ThreadLocalRandom::current), timer,
				this.threads);
	}

	private String server() {
		return this.cluster.value().equals(ClusterName.DEFAULT) ? "The API server"
				: "The API server of cluster '%s'".formatted(this.cluster.value());
	}

	private String threadName(String role) {
		return "informer-" + this.cluster.qualify(role);
	}

	/**
	 * Settings for decoding objects, by resource.
	 *
	 * @param mappers the JSON mappers
	 * @param protobuf {@code true} to prefer protobuf
	 * @param keepManagedFields returns whether to keep the managed fields of a resource
	 * @param shareEqualParts returns whether equal parts of a resource's objects may be
	 * one instance
	 */
	public record DecodingSettings(JsonMappers mappers, boolean protobuf, Predicate<ResourceType<?>> keepManagedFields,
			Predicate<ResourceType<?>> shareEqualParts) {

		InformerRuntime.Decoding of(ResourceType<?> type) {
			boolean managedFields = this.keepManagedFields.test(type);
			return new InformerRuntime.Decoding(managedFields ? this.mappers.keepingManagedFields() : this.mappers,
					this.protobuf, managedFields, this.shareEqualParts.test(type));
		}

	}

	/**
	 * Settings for lists.
	 *
	 * @param mode the way to read full states
	 * @param pageSize the number of objects per page; 0 for the default
	 * @param concurrent the number of lists that are read concurrently
	 */
	public record ListSettings(ListMode mode, int pageSize, int concurrent) {

	}

}
