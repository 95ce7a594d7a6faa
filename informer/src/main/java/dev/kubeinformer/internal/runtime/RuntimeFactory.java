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
 * Makes what informers share, of a client and their settings.
 *
 * @param cluster the cluster, for names of threads
 * @param decoding how objects are decoded
 * @param pools what the pools of all decoders take their memory from
 * @param lists how lists are read
 * @param timings the durations of the protocol
 * @param clocks the clocks
 * @param threads makes the threads of reflectors
 * @param writes limits on the connections that only writes use
 */
public record RuntimeFactory(ClusterName cluster, DecodingSettings decoding, PoolBudget pools, ListSettings lists,
		ReflectorTimings timings, InformerRuntime.Clocks clocks, ThreadFactory threads, OwnConnections.Limits writes) {

	/** An API server gives up a list after 60 seconds, and its answer says so. */
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
	 * How objects are decoded, by their resource.
	 *
	 * @param mappers the JSON mappers
	 * @param protobuf whether protobuf is preferred
	 * @param keepManagedFields of which resources managed fields are kept
	 * @param shareEqualParts of which resources equal parts may be one instance
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
	 * How lists are read.
	 *
	 * @param mode how full states are asked for
	 * @param pageSize the number of objects of a page; 0 for the default
	 * @param concurrent the number of lists that are read at once
	 */
	public record ListSettings(ListMode mode, int pageSize, int concurrent) {

	}

}
