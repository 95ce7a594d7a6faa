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

	/** Hosts that requests may be for beside the local ones. */
	public final List<String> hosts = new ArrayList<>();

	/** How often a watch gets a bookmark. */
	public Duration bookmarkInterval = Duration.ofMinutes(1);

	/** How many changes a watch may be behind. */
	public int historyLimit = 20_000;

	/** Whether it compresses. */
	public boolean compression;

	/** Whether it serves protobuf. */
	public boolean protobuf;

	/** Whether it serves the metadata of objects alone. */
	public boolean metadataOnly = true;

	/** Whether it knows shards. */
	public boolean shardedListAndWatch;

	/** Whether watches bring the objects of all shards. */
	public boolean unfilteredWatches;

	/** Whether the namespace of an object must exist. */
	public boolean namespacesMustExist = true;

	/** Namespaces that there are from the start. */
	public final List<String> namespaces = new ArrayList<>();

	/** Whether it deletes what has lost its owners. */
	public boolean garbageCollection;

	/** How many requests it records. */
	public int requestLimit = RequestLog.DEFAULT_LIMIT;

	/** Its users; everybody may do everything if there are none. */
	public final List<User> users = new ArrayList<>();

}
