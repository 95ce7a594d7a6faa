package dev.kubeinformer.internal.runtime;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.internal.codec.json.JsonCodec;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.internal.codec.pool.PartPool;
import dev.kubeinformer.internal.codec.pool.PoolBudget;
import dev.kubeinformer.internal.codec.protobuf.MessageDecoder;
import dev.kubeinformer.internal.codec.protobuf.MessageDecoders;
import dev.kubeinformer.internal.codec.protobuf.ProtobufCodec;
import dev.kubeinformer.internal.codec.protobuf.ProtobufReader;
import dev.kubeinformer.internal.reflector.Outages;
import dev.kubeinformer.internal.reflector.Reflector;
import dev.kubeinformer.internal.reflector.SyncSlots;
import dev.kubeinformer.internal.transport.ApiConnections;
import dev.kubeinformer.internal.transport.Codecs;
import dev.kubeinformer.internal.transport.Negotiation;
import dev.kubeinformer.resource.ResourceType;

/**
 * Connections, settings and limits that all informers share while they are running.
 *
 * @param connections the client's connections
 * @param decoding returns the settings for decoding the objects of a resource
 * @param reflectorOptions the options of reflectors
 * @param pools the memory budget that the pools of all decoders share
 * @param syncSlots the limit for concurrent lists
 * @param outages the shared knowledge of outages of the API server
 * @param timer the timer for resyncs and retries
 * @param threads the factory of the reflectors' threads
 */
public record InformerRuntime(ApiConnections connections, Function<ResourceType<?>, Decoding> decoding,
		Reflector.Options reflectorOptions, PoolBudget pools, SyncSlots syncSlots, Outages outages,
		ScheduledExecutorService timer, ThreadFactory threads) {

	/** Time within which the thread of a stopped reflector should end. */
	public static final Duration REFLECTOR_GRACE = Duration.ofMillis(800);

	/**
	 * Settings for decoding objects.
	 *
	 * @param mappers the JSON mappers
	 * @param protobuf {@code true} to prefer protobuf where a decoder exists
	 * @param managedFields {@code true} to keep {@code metadata.managedFields}
	 * @param shareEqualParts {@code true} if equal parts of objects may be one instance
	 */
	public record Decoding(JsonMappers mappers, boolean protobuf, boolean managedFields, boolean shareEqualParts) {

		/**
		 * Resource whose objects never share parts. For sharing, pools keep encoded parts
		 * of objects, and parts of secrets must not stay in memory.
		 */
		private static final String SECRETS = "secrets";

		/**
		 * Creates the codecs of one reflector.
		 * @param <T> the model class
		 * @param type the resource
		 * @param modifiable {@code true} to decode mutable objects, which never share
		 * parts
		 * @param bounds the limits of the codecs' pools
		 * @param present returns the number of cached objects; zero if unknown
		 * @return the codecs
		 */
		public <T extends KubernetesObject> Codecs<T> codecs(ResourceType<T> type, boolean modifiable,
				PoolBounds bounds, IntSupplier present) {
			JsonMappers used = modifiable ? this.mappers.modifiable() : this.mappers;
			KnownValues known = new KnownValues(bounds.strings(), bounds.share(), present);
			JsonCodec<T> json = new JsonCodec<>(type, used, known);
			if (!hasProtobuf(type)) {
				return new Codecs<>(json, null);
			}
			boolean share = this.shareEqualParts && !modifiable && !type.name().equals(SECRETS);
			PartPool parts = share ? new PartPool(bounds.partBytes(), present, bounds.share()) : null;
			ProtobufReader reader = new ProtobufReader(used, known, parts);
			return new Codecs<>(json, protobuf(type, reader, json));
		}

		/**
		 * Creates the negotiation of the encoding of responses, for one informer.
		 * @param type the resource
		 * @param onFallback receives a message for each encoding that did not work
		 * @param nanoTime the monotonic clock
		 * @return the negotiation
		 */
		public Negotiation negotiation(ResourceType<?> type, Consumer<String> onFallback, LongSupplier nanoTime) {
			return new Negotiation(hasProtobuf(type), new Negotiation.Wanted(type.isMetadata(), this.managedFields),
					onFallback, nanoTime);
		}

		/**
		 * Returns whether a resource can be read as protobuf. Custom resources support
		 * protobuf only for requests for metadata.
		 */
		private boolean hasProtobuf(ResourceType<?> type) {
			return this.protobuf && (type.isMetadata() || MessageDecoders.find(type.objectClass()) != null);
		}

		private static <T extends KubernetesObject> ProtobufCodec<T> protobuf(ResourceType<T> type,
				ProtobufReader reader, JsonCodec<T> json) {
			MessageDecoder<T> decoder = MessageDecoders.find(type.objectClass());
			return (decoder != null) ? new ProtobufCodec<>(type, decoder, reader, json)
					: ProtobufCodec.ofMetadata(type, reader, json);
		}

	}

	/**
	 * Clocks that an application's informers use.
	 *
	 * @param wall the wall clock, for status and logs
	 * @param nanoTime the monotonic clock, for periods
	 */
	public record Clocks(Clock wall, LongSupplier nanoTime) {

	}

}
