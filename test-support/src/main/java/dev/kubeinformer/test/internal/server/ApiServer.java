package dev.kubeinformer.test.internal.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

import io.kubernetes.client.openapi.ApiClient;
import org.eclipse.jetty.server.Handler;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.access.Access;
import dev.kubeinformer.test.internal.access.Kubeconfig;
import dev.kubeinformer.test.internal.access.User;
import dev.kubeinformer.test.internal.cel.RuleEngines;
import dev.kubeinformer.test.internal.endpoint.ApiHandler;
import dev.kubeinformer.test.internal.endpoint.ObjectEndpoint;
import dev.kubeinformer.test.internal.fault.Corruptions;
import dev.kubeinformer.test.internal.fault.FaultRules;
import dev.kubeinformer.test.internal.fault.WatchDelays;
import dev.kubeinformer.test.internal.garbage.GarbageCollector;
import dev.kubeinformer.test.internal.http.Certificates;
import dev.kubeinformer.test.internal.http.HostCheck;
import dev.kubeinformer.test.internal.http.HttpServer;
import dev.kubeinformer.test.internal.http.PreparedServer;
import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.lease.CompetingLeaseHolder;
import dev.kubeinformer.test.internal.list.ListEndpoint;
import dev.kubeinformer.test.internal.list.ListReader;
import dev.kubeinformer.test.internal.protobuf.ProtobufHandler;
import dev.kubeinformer.test.internal.render.ObjectRenderer;
import dev.kubeinformer.test.internal.request.Offer;
import dev.kubeinformer.test.internal.request.RequestLog;
import dev.kubeinformer.test.internal.request.Signal;
import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.resource.ResourceTypes;
import dev.kubeinformer.test.internal.schema.RuleEngine;
import dev.kubeinformer.test.internal.selector.ShardGate;
import dev.kubeinformer.test.internal.storage.RevisionLog;
import dev.kubeinformer.test.internal.watch.WatchEndpoint;
import dev.kubeinformer.test.internal.write.BuiltInObjects;
import dev.kubeinformer.test.internal.write.ClientWrites;
import dev.kubeinformer.test.internal.write.CustomResources;
import dev.kubeinformer.test.internal.write.DefinitionWriter;
import dev.kubeinformer.test.internal.write.Deletion;
import dev.kubeinformer.test.internal.write.DirectWrites;
import dev.kubeinformer.test.internal.write.Namespaces;
import dev.kubeinformer.test.internal.write.ObjectWrites;
import dev.kubeinformer.test.internal.write.StoredObjects;

/**
 * Server of the embedded API, assembled from the storage, the endpoints, the faults and
 * the HTTP server.
 */
public final class ApiServer implements AutoCloseable {

	/**
	 * Identity of the holder of Leases with which clients compete.
	 */
	public static final String RIVAL = "embedded-kubernetes-rival";

	private static final String NAME = "embedded-kubernetes";

	private final RevisionLog log;

	private final ResourceTypes types;

	private final StoredObjects store;

	private final Namespaces namespaces;

	private final Corruptions corruptions = new Corruptions();

	private final FaultRules faults = new FaultRules();

	private final ShardGate shards;

	private final boolean shardedAtFirst;

	private final WatchDelays lags = new WatchDelays();

	private final Signal signal = new Signal();

	private final RequestLog requests;

	private final WatchEndpoint watches;

	private final List<User> users;

	private final Deletion deletion;

	private final CompetingLeaseHolder rival;

	private final boolean collectsAtFirst;

	private final HttpServer server;

	private volatile @Nullable GarbageCollector garbage;

	private ApiServer(ServerSettings settings) {
		PreparedServer prepared = PreparedServer.begin(NAME, settings.port, settings.tls);
		this.users = List.copyOf(settings.users);
		this.types = ResourceTypes.builtIn();
		RuleEngine rules = RuleEngines.find();
		this.log = new RevisionLog(settings.historyLimit);
		this.store = new StoredObjects(this.log, this.types, new BuiltInObjects(settings.validation), rules);
		this.requests = new RequestLog(settings.requestLimit, this.signal);
		ObjectRenderer renderer = new ObjectRenderer(this.corruptions);
		this.shardedAtFirst = settings.shardedListAndWatch;
		this.shards = new ShardGate(this.shardedAtFirst, !settings.unfilteredWatches);
		this.watches = new WatchEndpoint(this.log, this.types, renderer, this.shards, settings.bookmarkInterval,
				settings.historyLimit, this.lags, this.signal);
		CustomResources.follow(this.log, this.types, this.watches::end, rules);
		this.namespaces = new Namespaces(this.log, settings.namespacesMustExist, settings.namespaces);
		this.namespaces.seed();
		this.deletion = new Deletion(this.log, this.namespaces, () -> this.garbage != null);
		this.rival = new CompetingLeaseHolder(RIVAL, this.log, this.types, this.store, this.namespaces);
		ApiHandler handler = new ApiHandler(this.types, new Access(this.users), this.faults, this.requests,
				new ObjectEndpoint(this.store, this.log, renderer, this.namespaces, this.deletion, this.rival),
				new ListEndpoint(new ListReader(this.log, this.shards), renderer, settings.compression), this.watches,
				new Offer(settings.metadataOnly, Offer.Protobuf.NONE));
		Handler encoded = (settings.protobuf)
				? new ProtobufHandler(this.types, settings.metadataOnly, settings.compression, handler) : handler;
		this.server = prepared.await().start(new HostCheck(List.copyOf(settings.hosts), this.requests, encoded));
		this.collectsAtFirst = settings.garbageCollection;
		collectGarbage(this.collectsAtFirst);
	}

	/**
	 * Starts a server.
	 * @param settings its settings
	 * @return the server, to be closed by the caller
	 */
	public static ApiServer start(ServerSettings settings) {
		return new ApiServer(settings);
	}

	public String url() {
		return this.server.url();
	}

	public int port() {
		return this.server.port();
	}

	// The certificate of the server's authority in PEM, or null without TLS.
	public @Nullable String authority() {
		Certificates certificates = this.server.certificates();
		return (certificates != null) ? certificates.authorityPem() : null;
	}

	public String kubeconfig() {
		return Kubeconfig.of(url(), authority(), this.users);
	}

	/**
	 * Writes a kubeconfig.
	 * @param file the file, which is replaced if it exists
	 * @return the file
	 */
	public Path writeKubeconfig(Path file) {
		try {
			return Files.writeString(file, kubeconfig());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Creates a client that trusts the server. If the server has users, the client uses
	 * the token of the first one.
	 * @return the client, to be shut down by the caller
	 */
	public ApiClient newClient() {
		ApiClient client = new ApiClient();
		client.setBasePath(url());
		String authority = authority();
		if (authority != null) {
			client.setSslCaCert(new ByteArrayInputStream(Json.utf8(authority)));
		}
		if (!this.users.isEmpty()) {
			client.addDefaultHeader("Authorization", "Bearer " + this.users.get(0).token());
		}
		return client;
	}

	public RevisionLog log() {
		return this.log;
	}

	public ResourceTypes types() {
		return this.types;
	}

	public StoredObjects store() {
		return this.store;
	}

	public ObjectWrites directWrites() {
		return new DirectWrites(this.store);
	}

	public ObjectWrites clientWrites() {
		return new ClientWrites(this.store, this.namespaces, this.deletion);
	}

	public Corruptions corruptions() {
		return this.corruptions;
	}

	public FaultRules faults() {
		return this.faults;
	}

	public WatchDelays lags() {
		return this.lags;
	}

	public CompetingLeaseHolder rival() {
		return this.rival;
	}

	public RequestLog requests() {
		return this.requests;
	}

	public WatchEndpoint watches() {
		return this.watches;
	}

	// Waits for a condition of the requests or the watches.
	public boolean await(BooleanSupplier condition, Duration timeout) {
		return this.signal.await(condition, timeout);
	}

	// Writes the CustomResourceDefinition of a resource, with this single version.
	public void serve(String group, String version, String plural, String kind, boolean namespaced) {
		new DefinitionWriter(this.types, this.store, this.log).write(group, version, plural, kind, namespaced);
	}

	/**
	 * Switches the feature gate ShardedListAndWatch.
	 * @param enabled whether the parameter {@code shardSelector} is evaluated from now on
	 */
	public void shardedListAndWatch(boolean enabled) {
		this.shards.enable(enabled);
	}

	/**
	 * Enables or disables garbage collection.
	 * @param enabled whether garbage collection is enabled from now on
	 */
	public synchronized void collectGarbage(boolean enabled) {
		GarbageCollector current = this.garbage;
		if (enabled && current == null) {
			this.garbage = GarbageCollector.start(this.log, this.types, this.store, this.deletion,
					this.server.executor());
		}
		if (!enabled && current != null) {
			this.garbage = null;
			current.stop();
		}
	}

	/**
	 * Cuts all connections, and drops the history of changes, so that no watch can begin
	 * at an older revision.
	 */
	public void restart() {
		stopServing();
		this.log.dropWatchHistory();
		resumeServing();
	}

	/**
	 * Resets the server: removes all faults, all recorded requests and all objects except
	 * the initial namespaces, the definitions of custom resources, and the Leases that a
	 * test keeps.
	 * @return the revision of the last delete
	 */
	public long reset() {
		this.faults.discard();
		this.corruptions.clear();
		this.lags.clear();
		collectGarbage(this.collectsAtFirst);
		this.shards.enable(this.shardedAtFirst);
		resumeServing();
		this.namespaces.restore();
		Set<ObjectKey> leases = this.rival.reset();
		long last = this.log.deleteAll((resource, key) -> !isKept(resource, key, leases));
		this.requests.clear();
		return last;
	}

	private boolean isKept(GroupResource resource, ObjectKey key, Set<ObjectKey> leases) {
		return ResourceTypes.DEFINITIONS.equals(resource) || this.namespaces.isInitial(resource, key)
				|| (CompetingLeaseHolder.LEASES.equals(resource) && leases.contains(key));
	}

	public void stopServing() {
		this.server.pause();
		cutStreams();
	}

	public void resumeServing() {
		this.server.resume();
	}

	public void dropConnections() {
		this.server.dropConnections();
		cutStreams();
	}

	private void cutStreams() {
		this.faults.cutHeld();
		this.watches.cutAll();
	}

	@Override
	public void close() {
		collectGarbage(false);
		dropConnections();
		this.server.close();
	}

}
