package dev.kubeinformer.test.internal.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.kubeinformer.test.internal.access.User;
import dev.kubeinformer.test.internal.request.RequestLog;

/**
 * Settings of a server that is not started yet. The builder writes them, and the server
 * reads them once.
 */
public final class ServerSettings {

	/** Port; 0 for a free one. */
	public int port;

	/** Whether the server uses TLS. */
	public boolean tls;

	/** Allowed hosts of requests in addition to the local ones. */
	public final List<String> hosts = new ArrayList<>();

	/** Interval of bookmarks of a watch. */
	public Duration bookmarkInterval = Duration.ofMinutes(1);

	/** Maximum number of changes by which a watch may lag behind before it is ended. */
	public int historyLimit = 20_000;

	/** Whether the server compresses large lists. */
	public boolean compression;

	/** Whether the server serves protobuf. */
	public boolean protobuf;

	/** Whether the server supports requests for metadata-only objects. */
	public boolean metadataOnly = true;

	/** Whether the server evaluates the parameter {@code shardSelector}. */
	public boolean shardedListAndWatch;

	/** Whether watches ignore the parameter {@code shardSelector}. */
	public boolean unfilteredWatches;

	/** Whether the namespace of an object must exist. */
	public boolean namespacesMustExist = true;

	/** Additional namespaces that exist from the start. */
	public final List<String> namespaces = new ArrayList<>();

	/** Whether the server deletes objects whose owners were deleted. */
	public boolean garbageCollection;

	/**
	 * Whether the server validates and completes objects of built-in types that clients
	 * write.
	 */
	public boolean validation = true;

	/** Number of newest requests that the server records. */
	public int requestLimit = RequestLog.DEFAULT_LIMIT;

	/** Users; without users every request is allowed. */
	public final List<User> users = new ArrayList<>();

}
