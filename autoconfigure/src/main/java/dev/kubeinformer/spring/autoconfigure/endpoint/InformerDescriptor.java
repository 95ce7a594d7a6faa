package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Description of an informer in the endpoint. Times are in ISO 8601, UTC.
 *
 * @param id the id, prefixed with the cluster name unless that is the default cluster
 * @param cluster the name of the cluster; {@code null} if there is only the default
 * cluster
 * @param spec the spec
 * @param state the state
 * @param since the time at which that state began
 * @param staleSince the time since which the filled cache has not been kept current;
 * {@code null} while the cache is current, and before it is filled
 * @param synced whether the cache holds a full state
 * @param syncedAt the time at which the cache first held a full state since the last
 * start; {@code null} before
 * @param resourceVersion the version of the cache; {@code null} before the first sync
 * @param cacheSize the number of cached objects
 * @param lists the number of full lists since the start
 * @param relists the number of lists after the first, by reason
 * @param watchRestarts the number of watches since the start that ended or could not be
 * opened, by reason
 * @param regressions the number of lists that were older than an earlier response of the
 * API server
 * @param quarantined the number of objects that cannot be decoded or transformed
 * @param lastEventAt the time of the last event or bookmark; {@code null} if there was
 * none
 * @param lastEventAge the age of the last event or bookmark, such as {@code 12s}
 * @param lastError the last error; {@code null} if there was none
 * @param requiredRbac the missing RBAC rules
 * @param encoding the encoding of the API server's last response, {@code JSON} or
 * {@code PROTOBUF}; {@code null} before the first response
 * @param metadata the place at which objects are reduced to metadata, {@code SERVER} or
 * {@code CLIENT}; {@code null} for whole objects, and before the first response
 * @param shard the cached shard; {@code null} if all objects are cached
 * @param handlers the ids of the handlers of the informer, both beans and others
 */
public record InformerDescriptor(String id, @Nullable String cluster, Spec spec, String state, String since,
		@Nullable String staleSince, boolean synced, @Nullable String syncedAt, @Nullable String resourceVersion,
		int cacheSize, long lists, Map<String, Long> relists, Map<String, Long> watchRestarts, long regressions,
		int quarantined, @Nullable String lastEventAt, @Nullable String lastEventAge, @Nullable Failure lastError,
		List<String> requiredRbac, @Nullable String encoding, @Nullable String metadata, @Nullable Shard shard,
		List<String> handlers) implements OperationResponseBody {

	/**
	 * Spec of an informer.
	 *
	 * @param resource the resource, {@code plural[.group]}
	 * @param apiVersion the group and version, such as {@code apps/v1}
	 * @param kind the kind of the objects; {@code null} if unknown
	 * @param namespaces the namespaces; {@code *} for all
	 * @param labelSelector the label selector; {@code null} for none
	 * @param fieldSelector the field selector; {@code null} for none
	 * @param metadataOnly whether only the metadata of objects is cached
	 */
	public record Spec(String resource, String apiVersion, @Nullable String kind, List<String> namespaces,
			@Nullable String labelSelector, @Nullable String fieldSelector, boolean metadataOnly) {

	}

	/**
	 * Cached shard of the objects, or cached slots that move between the replicas.
	 *
	 * @param key the hashed part of the metadata, {@code UID} or {@code NAMESPACE}
	 * @param index the index of the shard, from 0; {@code null} if slots move
	 * @param total the number of shards or slots
	 * @param mode the place at which objects of other shards are filtered out:
	 * {@code SERVER} if the API server does not send them, {@code CLIENT} if the informer
	 * drops them; {@code null} while unknown
	 * @param foreign the number of received objects and changes of other shards that were
	 * dropped since the start
	 * @param slots the slots of this replica, such as {@code 0-12,20}; {@code null} if no
	 * slots move
	 * @param listed the slots of which the cache holds all objects; {@code null} if no
	 * slots move
	 */
	public record Shard(String key, @Nullable Integer index, int total, @Nullable String mode, long foreign,
			@Nullable String slots, @Nullable String listed) {

	}

	/**
	 * Failure of a request, without the message of the API server because that may quote
	 * objects.
	 *
	 * @param at the time of the failure
	 * @param verb the Kubernetes verb, {@code list} or {@code watch}
	 * @param httpStatus the HTTP status; {@code null} if there was no response
	 * @param reason the {@code reason} of Kubernetes, or the simple name of the exception
	 * @param message the message, if the API server did not respond with an error
	 * @param advice the recommended action; {@code null} if none is known
	 */
	public record Failure(String at, String verb, @Nullable Integer httpStatus, String reason, @Nullable String message,
			@Nullable String advice) {

	}

}
