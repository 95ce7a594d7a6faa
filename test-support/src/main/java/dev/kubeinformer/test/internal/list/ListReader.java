package dev.kubeinformer.test.internal.list;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.request.Query;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.selector.Selector;
import dev.kubeinformer.test.internal.selector.ShardGate;
import dev.kubeinformer.test.internal.status.Statuses;
import dev.kubeinformer.test.internal.storage.PersistedObject;
import dev.kubeinformer.test.internal.storage.RevisionLog;

/**
 * Reads the objects for the response to a list request.
 */
public final class ListReader {

	private final RevisionLog log;

	private final ShardGate shards;

	public ListReader(RevisionLog log, ShardGate shards) {
		this.log = log;
		this.shards = shards;
	}

	/**
	 * Reads a page of a list, or the whole list.
	 * @param type the resource
	 * @param namespace the namespace, empty for all
	 * @param query the query of the request
	 * @param asOf the revision that a fault forces for the first page, or {@code null} if
	 * there is no such fault
	 * @return the page
	 */
	Page read(ResourceDefinition type, String namespace, Query query, @Nullable Long asOf) {
		query.checkList();
		Selector selector = this.shards.ofList(type, namespace, query);
		String token = query.text("continue");
		if (!token.isEmpty()) {
			if (query.hasResourceVersion() && !"0".equals(query.text("resourceVersion"))) {
				throw Statuses.badRequest("specifying resource version is not allowed when using continue");
			}
			ContinueToken position = ContinueToken.parse(token);
			return page(next(type, namespace, position), selector, position.after(), query.limit());
		}
		if (asOf != null) {
			return page(past(type, namespace, asOf), selector, "", query.limit());
		}
		boolean fromCache = query.hasResourceVersion() && query.resourceVersion(true) == 0;
		// Version "0" is served by the watch cache, which does not page.
		return page(first(type, namespace, query), selector, "", (fromCache) ? 0 : query.limit());
	}

	private RevisionLog.Snapshot next(ResourceDefinition type, String namespace, ContinueToken position) {
		if (position.revision() == ContinueToken.CURRENT) {
			return this.log.list(type.resource(), namespace);
		}
		RevisionLog.Snapshot snapshot = this.log.listAt(type.resource(), namespace, position.revision());
		if (snapshot == null) {
			throw Statuses.expiredContinue(position.inconsistent().encode());
		}
		return snapshot;
	}

	private RevisionLog.Snapshot first(ResourceDefinition type, String namespace, Query query) {
		long asked = query.resourceVersion(true);
		RevisionLog.Snapshot current = this.log.list(type.resource(), namespace);
		if (asked > current.revision()) {
			throw Statuses.tooLargeResourceVersion(asked, current.revision());
		}
		boolean exact = query.isExact() || (asked > 0 && query.limit() > 0 && !query.isNotOlderThan());
		if (!exact) {
			return current;
		}
		return past(type, namespace, asked);
	}

	private RevisionLog.Snapshot past(ResourceDefinition type, String namespace, long revision) {
		RevisionLog.Snapshot past = this.log.listAt(type.resource(), namespace, revision);
		if (past == null) {
			throw Statuses.expiredList();
		}
		return past;
	}

	private static Page page(RevisionLog.Snapshot snapshot, Selector selector, String after, int limit) {
		List<PersistedObject> objects = snapshot.objects();
		List<PersistedObject> page = new ArrayList<>();
		int begin = begin(objects, after);
		for (int i = begin; i < objects.size(); i++) {
			// As in kube-apiserver, do not check whether there is a further match. So the
			// last page may be empty, and with a selector the remaining items are not
			// counted.
			if (limit > 0 && page.size() == limit) {
				String last = page.get(limit - 1).key().path();
				return new Page(page, snapshot.revision(), new ContinueToken(snapshot.revision(), last).encode(),
						(selector.everything()) ? objects.size() - begin - limit : null, selector.shardText());
			}
			PersistedObject object = objects.get(i);
			if (selector.test(object)) {
				page.add(object);
			}
		}
		return new Page(page, snapshot.revision(), null, null, selector.shardText());
	}

	// Returns the index of the first object after a path.
	private static int begin(List<PersistedObject> objects, String after) {
		int low = 0;
		int high = objects.size();
		while (low < high) {
			int middle = (low + high) >>> 1;
			if (objects.get(middle).key().path().compareTo(after) > 0) {
				high = middle;
			}
			else {
				low = middle + 1;
			}
		}
		return low;
	}

	/**
	 * Page of a list.
	 *
	 * @param objects the objects
	 * @param revision the revision of the list
	 * @param next the token of the next page, or {@code null} for the last one
	 * @param remaining the number of objects after this page, or {@code null} if the
	 * response does not contain it
	 * @param shard the selector of the shard that was requested, or {@code null} for all
	 * objects
	 */
	public record Page(List<PersistedObject> objects, long revision, @Nullable String next, @Nullable Integer remaining,
			@Nullable String shard) {
	}

}
