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
 * What running informers share, from a start to the next stop.
 *
 * @param connections the client's connections
 * @param decoding how objects of a resource are decoded
 * @param reflectorOptions how reflectors behave
 * @param pools what the pools of all decoders take their memory from
 * @param syncSlots bounds how many reflectors read a list at once
 * @param outages what reflectors know of outages of the API server
 * @param timer runs resyncs and retries
 * @param threads makes the threads of reflectors
 */
public record InformerRuntime(ApiConnections connections, Function<ResourceType<?>, Decoding> decoding,
		Reflector.Options reflectorOptions, PoolBudget pools, SyncSlots syncSlots, Outages outages,
		ScheduledExecutorService timer, ThreadFactory threads) {

	/** How long the thread of a stopped reflector may take to end. */
	public static final Duration REFLECTOR_GRACE = Duration.ofMillis(800);

	/**
	 * How objects are decoded.
	 *
	 * @param mappers the JSON mappers
	 * @param protobuf whether protobuf is preferred, where there is a decoder
	 * @param managedFields whether {@code metadata.managedFields} are kept
	 * @param shareEqualParts whether equal parts of objects may be one instance
	 */
	public record Decoding(JsonMappers mappers, boolean protobuf, boolean managedFields, boolean shareEqualParts) {

		/** Encoded parts are kept, and those of secrets must not stay in memory. */
		private static final String SECRETS = "secrets";

		/**
		 * Returns new codecs, for one reflector.
		 * @param <T> the model class
		 * @param type the resource
		 * @param modifiable whether objects are decoded to be changed
		 * @param bounds how much they may keep
		 * @param present how many objects there are; zero if that is not known yet
		 * @return the codecs
		 */
		public <T extends KubernetesObject> Codecs<T> codecs(ResourceType<T> type, boolean modifiable,
				PoolBounds bounds, IntSupplier present) {
			JsonMappers used = modifiable ? this.mappers.modifiable() : this.mappers;
			KnownValues known = new KnownValues(bounds.strings(), bounds.share());
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
		 * Returns a new negotiation, for one informer.
		 * @param type the resource
		 * @param onFallback receives what is not asked for, for a while
		 * @param nanoTime the time that only grows
		 * @return the negotiation
		 */
		public Negotiation negotiation(ResourceType<?> type, Consumer<String> onFallback, LongSupplier nanoTime) {
			return new Negotiation(hasProtobuf(type), new Negotiation.Wanted(type.isMetadata(), this.managedFields),
					onFallback, nanoTime);
		}

		/** The metadata of custom resources has this encoding as well. */
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
	 * The clocks of an application's informers.
	 *
	 * @param wall the time of day, for people
	 * @param nanoTime the time that only grows, for periods
	 */
	public record Clocks(Clock wall, LongSupplier nanoTime) {

	}

}
