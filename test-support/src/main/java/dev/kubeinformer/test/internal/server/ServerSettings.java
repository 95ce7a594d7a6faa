package dev.kubeinformer.test.internal.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.kubeinformer.test.internal.access.User;
import dev.kubeinformer.test.internal.request.RequestLog;

/**
 * Settings of a server that is not started yet.
 */
public final class ServerSettings {

	private int port;

	private boolean tls;

	private final List<String> hosts = new ArrayList<>();

	private Duration bookmarkInterval = Duration.ofMinutes(1);

	private int historyLimit = 20_000;

	private boolean compression;

	private boolean protobuf;

	private boolean metadataOnly = true;

	private boolean shardedListAndWatch;

	private boolean unfilteredWatches;

	private boolean namespacesMustExist = true;

	private final List<String> namespaces = new ArrayList<>();

	private boolean garbageCollection;

	private int requestLimit = RequestLog.DEFAULT_LIMIT;

	private final List<User> users = new ArrayList<>();

	public void setPort(int port) {
		this.port = port;
	}

	int port() {
		return this.port;
	}

	public void setTls(boolean tls) {
		this.tls = tls;
	}

	boolean tls() {
		return this.tls;
	}

	public void addHosts(List<String> names) {
		this.hosts.addAll(names);
	}

	List<String> hosts() {
		return List.copyOf(this.hosts);
	}

	public void setBookmarkInterval(Duration interval) {
		this.bookmarkInterval = interval;
	}

	Duration bookmarkInterval() {
		return this.bookmarkInterval;
	}

	public void setHistoryLimit(int changes) {
		this.historyLimit = changes;
	}

	int historyLimit() {
		return this.historyLimit;
	}

	public void setCompression(boolean enabled) {
		this.compression = enabled;
	}

	boolean compression() {
		return this.compression;
	}

	public void setProtobuf(boolean enabled) {
		this.protobuf = enabled;
	}

	boolean protobuf() {
		return this.protobuf;
	}

	public void setMetadataOnly(boolean enabled) {
		this.metadataOnly = enabled;
	}

	boolean metadataOnly() {
		return this.metadataOnly;
	}

	public void setShardedListAndWatch(boolean enabled) {
		this.shardedListAndWatch = enabled;
	}

	boolean shardedListAndWatch() {
		return this.shardedListAndWatch;
	}

	public void setUnfilteredWatches(boolean unfiltered) {
		this.unfilteredWatches = unfiltered;
	}

	boolean unfilteredWatches() {
		return this.unfilteredWatches;
	}

	public void setNamespacesMustExist(boolean mustExist) {
		this.namespacesMustExist = mustExist;
	}

	boolean namespacesMustExist() {
		return this.namespacesMustExist;
	}

	public void addNamespaces(List<String> names) {
		this.namespaces.addAll(names);
	}

	List<String> namespaces() {
		return this.namespaces;
	}

	public void setGarbageCollection(boolean enabled) {
		this.garbageCollection = enabled;
	}

	boolean garbageCollection() {
		return this.garbageCollection;
	}

	public void setRequestLimit(int requests) {
		this.requestLimit = requests;
	}

	int requestLimit() {
		return this.requestLimit;
	}

	public void addUser(User user) {
		this.users.add(user);
	}

	List<User> users() {
		return List.copyOf(this.users);
	}

}
