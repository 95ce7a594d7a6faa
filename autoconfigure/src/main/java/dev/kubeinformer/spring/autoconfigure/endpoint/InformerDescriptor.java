package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * An informer as the endpoint shows it. Times are those of ISO 8601, in UTC.
 *
 * @param id the id, with the name of the cluster before it unless that is the default one
 * @param cluster the name of the cluster; {@code null} where there is only the default
 * one
 * @param spec what it caches
 * @param state what it is doing
 * @param since since when it is in that state
 * @param staleSince since when the cache, which was filled, is not kept up to date;
 * {@code null} while it is, and before it was filled
 * @param synced whether the cache holds a full state
 * @param syncedAt when it first did since the last start; {@code null} before that
 * @param resourceVersion the version of the cache; {@code null} before the first sync
 * @param cacheSize the number of cached objects
 * @param lists the number of full lists since the start
 * @param relists the number of those after the first, by reason
 * @param watchRestarts the number of watches since the start that ended or could not be
 * opened, by reason
 * @param regressions the number of those that were older than what the API server showed
 * before
 * @param quarantined the number of objects that cannot be read
 * @param lastEventAt when the API server last sent an event or bookmark; {@code null} if
 * it never did
 * @param lastEventAge how long ago that is, such as {@code 12s}
 * @param lastError what last went wrong; {@code null} if nothing did
 * @param requiredRbac the RBAC rules that are missing
 * @param encoding the encoding of the API server's last answer, {@code JSON} or
 * {@code PROTOBUF}; {@code null} before the first one
 * @param metadata where all but the metadata is left out, {@code SERVER} or
 * {@code CLIENT}; {@code null} for whole objects, and before the first answer
 * @param shard which shard of the objects is cached; {@code null} if all are
 * @param handlers the ids of its handlers, those of beans and all others
 */
public record InformerDescriptor(String id, @Nullable String cluster, Spec spec, String state, String since,
		@Nullable String staleSince, boolean synced, @Nullable String syncedAt, @Nullable String resourceVersion,
		int cacheSize, long lists, Map<String, Long> relists, Map<String, Long> watchRestarts, long regressions,
		int quarantined, @Nullable String lastEventAt, @Nullable String lastEventAge, @Nullable Failure lastError,
		List<String> requiredRbac, @Nullable String encoding, @Nullable String metadata, @Nullable Shard shard,
		List<String> handlers) implements OperationResponseBody {

	/**
	 * What an informer caches.
	 *
	 * @param resource the resource, {@code plural[.group]}
	 * @param apiVersion the group and version, such as {@code apps/v1}
	 * @param kind the kind of the objects; {@code null} if only the API server knows it
	 * @param namespaces the namespaces; {@code *} for all
	 * @param labelSelector the label selector; {@code null} for none
	 * @param fieldSelector the field selector; {@code null} for none
	 * @param metadataOnly whether only the metadata of the objects is cached
	 */
	public record Spec(String resource, String apiVersion, @Nullable String kind, List<String> namespaces,
			@Nullable String labelSelector, @Nullable String fieldSelector, boolean metadataOnly) {

	}

	/**
	 * Which shard of the objects is cached.
	 *
	 * @param key what is hashed, {@code UID} or {@code NAMESPACE}
	 * @param index which of the shards it is, from 0
	 * @param total the number of shards
	 * @param mode where the objects of other shards are left out: {@code SERVER} if the
	 * API server does not send them, {@code CLIENT} if it sends them and they are dropped
	 * here; {@code null} while that is not known
	 * @param foreign the number of objects and changes of other shards since the start
	 * that the API server sent and that were dropped here
	 */
	public record Shard(String key, int index, int total, @Nullable String mode, long foreign) {

	}

	/**
	 * What went wrong with a request. What the API server wrote about it is left out, for
	 * it may quote objects.
	 *
	 * @param at when it happened
	 * @param verb the Kubernetes verb, {@code list} or {@code watch}
	 * @param httpStatus the HTTP status; {@code null} if there was no answer
	 * @param reason the reason that Kubernetes gave, or the simple name of the exception
	 * @param message what happened, where the API server did not answer by an error
	 * @param advice what to look at; {@code null} if nothing is known
	 */
	public record Failure(String at, String verb, @Nullable Integer httpStatus, String reason, @Nullable String message,
			@Nullable String advice) {

	}

}
