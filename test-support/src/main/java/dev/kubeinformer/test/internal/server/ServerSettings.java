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

	public int port;

	public boolean tls;

	public final List<String> hosts = new ArrayList<>();

	public Duration bookmarkInterval = Duration.ofMinutes(1);

	public int historyLimit = 20_000;

	public boolean compression;

	public boolean protobuf;

	public boolean metadataOnly = true;

	public boolean shardedListAndWatch;

	public boolean unfilteredWatches;

	public boolean namespacesMustExist = true;

	public final List<String> namespaces = new ArrayList<>();

	public boolean garbageCollection;

	public int requestLimit = RequestLog.DEFAULT_LIMIT;

	public final List<User> users = new ArrayList<>();

}
