package dev.kubeinformer.test.internal.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.kubeinformer.test.internal.access.User;
import dev.kubeinformer.test.internal.request.RequestLog;

/**
 * Settings of a server that is not started yet: the builder writes them, the server reads
 * them once.
 */
public final class ServerSettings {

	/** The port; 0 for a free one. */
	public int port;

	/** Whether it speaks TLS. */
	public boolean tls;

	/** Allowed hosts of requests in addition to the local ones. */
	public final List<String> hosts = new ArrayList<>();

	/** Interval of bookmarks of a watch. */
	public Duration bookmarkInterval = Duration.ofMinutes(1);

	/** Number of changes that a watch may be behind. */
	public int historyLimit = 20_000;

	/** Whether it compresses. */
	public boolean compression;

	/** Whether it serves protobuf. */
	public boolean protobuf;

	/** Whether it serves the metadata of objects alone. */
	public boolean metadataOnly = true;

	/** Whether it supports shards. */
	public boolean shardedListAndWatch;

	/** Whether watches send objects of all shards. */
	public boolean unfilteredWatches;

	/** Whether the namespace of an object must exist. */
	public boolean namespacesMustExist = true;

	/** Namespaces that there are from the start. */
	public final List<String> namespaces = new ArrayList<>();

	/** Whether it deletes objects that have lost their owners. */
	public boolean garbageCollection;

	/** Whether it checks and completes objects of built-in types that clients write. */
	public boolean validation = true;

	/** Number of requests that it records. */
	public int requestLimit = RequestLog.DEFAULT_LIMIT;

	/** Users; without users every request is allowed. */
	public final List<User> users = new ArrayList<>();

}
