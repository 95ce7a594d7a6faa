package dev.kubeinformer.test;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Server in memory, assembled from its rooms: storage, endpoints, faults, and the HTTP
 * server before them.
 */
final class ApiServer implements AutoCloseable {

	private static final String NAME = "embedded-kubernetes";

	private final RevisionLog log;

	private final ResourceTypes types;

	private final ObjectStore store;

	private final Namespaces namespaces;

	private final Corruptions corruptions = new Corruptions();

	private final FaultRules faults = new FaultRules();

	private final Signal signal = new Signal();

	private final RequestLog requests;

	private final WatchEndpoint watches;

	private final List<User> users;

	private final HttpServer server;

	private ApiServer(ServerSettings settings) {
		PreparedServer prepared = PreparedServer.begin(NAME, settings.port(), settings.tls());
		this.users = settings.users();
		this.types = ResourceTypes.builtIn();
		this.log = new RevisionLog(settings.historyLimit());
		this.store = new ObjectStore(this.log, this.types);
		this.requests = new RequestLog(settings.requestLimit(), this.signal);
		ObjectRenderer renderer = new ObjectRenderer(this.corruptions);
		this.watches = new WatchEndpoint(this.log, this.types, renderer, settings.bookmarkInterval(),
				settings.historyLimit(), this.signal);
		CustomResources.follow(this.log, this.types, this.watches::end);
		this.namespaces = new Namespaces(this.log, settings.namespacesMustExist());
		this.namespaces.seed();
		ApiHandler handler = new ApiHandler(this.types, new Access(this.users), this.faults, this.requests,
				new ObjectEndpoint(this.store, this.log, renderer, this.namespaces),
				new ListEndpoint(new ListReader(this.log), renderer, settings.compression()), this.watches);
		this.server = prepared.await().start(handler);
	}

	/**
	 * Starts a server.
	 * @param settings its settings
	 * @return the server, to be closed by the caller
	 */
	static ApiServer start(ServerSettings settings) {
		return new ApiServer(settings);
	}

	String url() {
		return this.server.url();
	}

	int port() {
		return this.server.port();
	}

	// The certificate of the server's authority in PEM, or null without TLS.
	@Nullable String authority() {
		Certificates certificates = this.server.certificates();
		return (certificates != null) ? certificates.authorityPem() : null;
	}

	String kubeconfig() {
		return Kubeconfig.of(url(), authority(), this.users);
	}

	RevisionLog log() {
		return this.log;
	}

	ResourceTypes types() {
		return this.types;
	}

	ObjectStore store() {
		return this.store;
	}

	Corruptions corruptions() {
		return this.corruptions;
	}

	FaultRules faults() {
		return this.faults;
	}

	RequestLog requests() {
		return this.requests;
	}

	WatchEndpoint watches() {
		return this.watches;
	}

	// Waits for a condition about the requests or the watches.
	boolean await(BooleanSupplier condition, Duration timeout) {
		return this.signal.await(condition, timeout);
	}

	// Writes the CustomResourceDefinition of a resource with this one version.
	void serve(String group, String version, String plural, String kind, boolean namespaced) {
		new DefinitionWriter(this.types, this.store, this.log).write(group, version, plural, kind, namespaced);
	}

	/**
	 * Cuts every connection and forgets the history that watches are served from.
	 */
	void restart() {
		stopServing();
		this.log.forgetWatchHistory();
		resumeServing();
	}

	/**
	 * Removes all faults, all objects but the initial namespaces and the definitions of
	 * custom resources, and all requests.
	 * @return the revision of the last delete
	 */
	long reset() {
		this.faults.discard();
		this.corruptions.clear();
		resumeServing();
		this.namespaces.restore();
		long last = this.log.deleteAll(
				(resource, key) -> !ResourceTypes.DEFINITIONS.equals(resource) && !Namespaces.isInitial(resource, key));
		this.requests.clear();
		return last;
	}

	void stopServing() {
		this.server.pause();
		cutStreams();
	}

	void resumeServing() {
		this.server.resume();
	}

	void dropConnections() {
		this.server.dropConnections();
		cutStreams();
	}

	private void cutStreams() {
		this.faults.cutHeld();
		this.watches.cutAll();
	}

	@Override
	public void close() {
		dropConnections();
		this.server.close();
	}

}
