package dev.kubeinformer.test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.json.Models;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.server.ApiServer;
import dev.kubeinformer.test.internal.server.ServerSettings;

/**
 * A Kubernetes API server in memory, for tests. It serves all built-in resources over
 * real HTTP (HTTP/1.1 and HTTP/2, with or without TLS, on one loopback port) with the
 * list and watch semantics of kube-apiserver 1.36, and lets a test inject the faults that
 * clients meet in life. It is ready when it is started, may be used by several threads,
 * and leaves no thread behind when it is closed.
 */
public final class EmbeddedKubernetes implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	// so many say enough in a message
	private static final int NAMED_REQUESTS = 20;

	private final Models models = new Models();

	private final ApiServer server;

	private final Faults faults;

	private final List<ApiUser> users;

	private EmbeddedKubernetes(Builder builder) {
		this.users = List.copyOf(builder.users);
		this.server = ApiServer.start(builder.settings);
		this.faults = new Faults(this.server.types(), this.server.corruptions(), this.server.faults());
	}

	/**
	 * Start a server on a free port.
	 * @return the server, to be closed by the caller
	 */
	public static EmbeddedKubernetes start() {
		return builder().start();
	}

	/**
	 * Begin to describe a server.
	 * @return the description
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Return the address for clients.
	 * @return the address without a slash at its end, such as "http://127.0.0.1:40123"
	 */
	public String url() {
		return this.server.url();
	}

	/**
	 * Return the port.
	 * @return the port, which stays the same until the server is closed
	 */
	public int port() {
		return this.server.port();
	}

	/**
	 * Return the revision of the last write of any resource.
	 * @return the current resourceVersion
	 */
	public String resourceVersion() {
		return Long.toString(this.server.log().revision());
	}

	/**
	 * Return the objects of a resource.
	 * @param model the model class of the official client
	 * @param <T> the model class
	 * @return the objects
	 */
	public <T extends KubernetesObject> ApiResources<T> resources(Class<T> model) {
		return resources(model, this.server.types().forModel(model));
	}

	/**
	 * Return the objects of a resource by its name, such as a custom one.
	 * @param model a model class that the official client's JSON can read
	 * @param group the API group, empty for the core group
	 * @param version the version
	 * @param plural the plural
	 * @param <T> the model class
	 * @return the objects
	 * @throws IllegalArgumentException if it is not served
	 */
	public <T extends KubernetesObject> ApiResources<T> resources(Class<T> model, String group, String version,
			String plural) {
		ResourceDefinition type = this.server.types().find(group, version, plural);
		if (type == null) {
			throw new IllegalArgumentException("\"" + plural + "\" of \"" + group + "/" + version + "\" is not served");
		}
		return resources(model, type);
	}

	private <T extends KubernetesObject> ApiResources<T> resources(Class<T> model, ResourceDefinition type) {
		return new ApiResources<>(type, model, this.models, this.server.store(), this.server.log());
	}

	/**
	 * Serve a custom resource with the status subresource, by its
	 * CustomResourceDefinition with this one version. What it was before is replaced.
	 * @param group the API group
	 * @param version the version
	 * @param plural the plural
	 * @param kind the kind
	 * @param namespaced whether its objects live in a namespace
	 */
	public void serve(String group, String version, String plural, String kind, boolean namespaced) {
		StatusException.translate(() -> this.server.serve(group, version, plural, kind, namespaced));
	}

	/**
	 * Return a user, to give it rights or to take some.
	 * @param name the name
	 * @return the user
	 * @throws IllegalArgumentException if there is none of this name
	 */
	public ApiUser user(String name) {
		return this.users.stream()
			.filter((user) -> user.name().equals(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("There is no user \"" + name + "\""));
	}

	/**
	 * Return the certificate of the authority that signed the server's.
	 * @return the certificate in PEM
	 * @throws IllegalStateException if the server was started without TLS
	 */
	public String caCertificate() {
		String authority = this.server.authority();
		if (authority == null) {
			throw new IllegalStateException("The server was started without TLS");
		}
		return authority;
	}

	// A client that trusts the server, and is its first user if it has users.
	ApiClient newClient() {
		ApiClient client = new ApiClient();
		client.setBasePath(url());
		String authority = this.server.authority();
		if (authority != null) {
			client.setSslCaCert(new ByteArrayInputStream(Json.utf8(authority)));
		}
		if (!this.users.isEmpty()) {
			client.addDefaultHeader("Authorization", "Bearer " + this.users.get(0).token());
		}
		return client;
	}

	/**
	 * Return a kubeconfig for this server. It has a context for each user, named like the
	 * user; the current one is that of the first user.
	 * @return the text of the file
	 */
	public String kubeconfig() {
		return this.server.kubeconfig();
	}

	/**
	 * Write a kubeconfig for this server.
	 * @param file the file, which is replaced if it exists
	 * @return the file
	 * @see #kubeconfig()
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
	 * Forget all history, as a compaction of etcd and the end of the watch cache do:
	 * watches and exact lists from older resourceVersions are answered with 410, and so
	 * are continue tokens. Open watches go on.
	 */
	public void compact() {
		this.server.log().compact();
	}

	/**
	 * Restart the server: every connection is cut, the port and the data stay, and as
	 * after a restart of kube-apiserver the watch cache is fresh, so that watches from
	 * older resourceVersions are answered with 410.
	 */
	public void restart() {
		this.server.restart();
	}

	/**
	 * Begin anew for the next test: serve again where serving was stopped, remove all
	 * faults with the requests that they hold, delete all objects but the initial
	 * namespaces, which are made again if they are missing, and forget the requests.
	 * CustomResourceDefinitions stay, too: like the built-in resources they are what is
	 * served, and only their objects are deleted. History goes on: every delete has a
	 * revision of its own and is told to the watches that are open, which stay open.
	 * Finalizers are not waited for.
	 * @return the resourceVersion of the last delete, which clients may wait for; what
	 * they write in answer has a greater one
	 */
	public String reset() {
		return Long.toString(this.server.reset());
	}

	/**
	 * Cut every connection and refuse new ones until {@link #resumeServing()}.
	 */
	public void stopServing() {
		this.server.stopServing();
	}

	/**
	 * Serve again at the same port, with the data and the history there were.
	 */
	public void resumeServing() {
		this.server.resumeServing();
	}

	/**
	 * Cut every open connection, and with it every watch. New ones are accepted.
	 */
	public void dropConnections() {
		this.server.dropConnections();
	}

	/**
	 * Return the requests that were answered over HTTP, of very many the newest.
	 * @return the requests in the order of their answers; a watch is there from its
	 * beginning on, and a request that a fault freezes as well
	 * @see Builder#requestLimit(int)
	 */
	public List<RecordedRequest> requests() {
		return RecordedRequest.of(this.server.requests().requests());
	}

	/**
	 * Return how many requests are missing in {@link #requests()} because there were too
	 * many.
	 * @return the number of requests
	 */
	public long droppedRequests() {
		return this.server.requests().dropped();
	}

	/**
	 * Wait for a request.
	 * @param pattern the request, mostly one of {@link Requests}
	 * @param timeout how long to wait at most
	 * @return the first one in {@link #requests()} that matches, which may be there
	 * already
	 * @throws AssertionError if there is none in time; its message names the requests
	 * that were seen
	 */
	public RecordedRequest awaitRequest(Predicate<? super RecordedRequest> pattern, Duration timeout) {
		this.server.await(() -> find(pattern).isPresent(), timeout);
		return find(pattern)
			.orElseThrow(() -> new AssertionError("There was no %s within %s, but %s".formatted(describe(pattern),
					timeout, describe(requests(), "there were the requests", "no request at all"))));
	}

	private Optional<RecordedRequest> find(Predicate<? super RecordedRequest> pattern) {
		return requests().stream().filter(pattern).findFirst();
	}

	private static String describe(Predicate<? super RecordedRequest> pattern) {
		return (pattern instanceof RequestPattern) ? pattern.toString() : "request that matches";
	}

	private static String describe(List<RecordedRequest> requests, String some, String none) {
		if (requests.isEmpty()) {
			return none;
		}
		return requests.stream()
			.skip(Math.max(0, requests.size() - NAMED_REQUESTS))
			.map(RecordedRequest::line)
			.collect(Collectors.joining("\n  ", some + ":\n  ", ""));
	}

	/**
	 * Wait up to ten seconds until exactly so many watches are open.
	 * @param count the number of watches
	 * @throws AssertionError if there are more or fewer; its message names them
	 */
	public void awaitWatches(int count) {
		if (!this.server.await(() -> openWatches() == count, PATIENCE)) {
			throw new AssertionError("There should be %d open watches, but after %s %s".formatted(count, PATIENCE,
					describe(RecordedRequest.of(this.server.watches().open()), "there are", "there is none")));
		}
	}

	/**
	 * Forget the requests so far.
	 */
	public void clearRequests() {
		this.server.requests().clear();
	}

	/**
	 * Return how many watches are open. A client that closes its connection is noticed
	 * within a moment.
	 * @return the number of watches
	 */
	public int openWatches() {
		return this.server.watches().open().size();
	}

	/**
	 * Return the faults, to add and to remove some.
	 * @return the faults
	 */
	public Faults faults() {
		return this.faults;
	}

	/**
	 * Send a bookmark to every watch that allows them, without waiting for their period.
	 */
	public void sendBookmarks() {
		this.server.watches().sendBookmarks();
	}

	@Override
	public void close() {
		this.server.close();
	}

	/**
	 * A server that is being described.
	 */
	public static final class Builder {

		private final ServerSettings settings = new ServerSettings();

		private final List<ApiUser> users = new ArrayList<>();

		private Builder() {
		}

		/**
		 * Set the port.
		 * @param port the port, 0 for a free one, which is the default
		 * @return this
		 */
		public Builder port(int port) {
			this.settings.setPort(port);
			return this;
		}

		/**
		 * Set the period of bookmarks.
		 * @param interval the period; one minute by default, as in Kubernetes
		 * @return this
		 */
		public Builder bookmarkInterval(Duration interval) {
			this.settings.setBookmarkInterval(interval);
			return this;
		}

		/**
		 * Set how many changes of each resource are remembered. A watch that is further
		 * behind is ended.
		 * @param changes the number of changes; 20 000 by default
		 * @return this
		 */
		public Builder historyLimit(int changes) {
			this.settings.setHistoryLimit(changes);
			return this;
		}

		/**
		 * Set whether lists over 128 KB are compressed for clients that accept gzip, as
		 * kube-apiserver does. It costs time that most tests do not want to spend.
		 * @param enabled whether to compress; off by default
		 * @return this
		 */
		public Builder compression(boolean enabled) {
			this.settings.setCompression(enabled);
			return this;
		}

		/**
		 * Set whether clients can create objects only in namespaces that exist, as in
		 * Kubernetes; "default", "kube-system", "kube-public" and "kube-node-lease" do
		 * from the start. What a test creates by {@link EmbeddedKubernetes#resources}
		 * needs no namespace.
		 * @param mustExist whether they must; they do by default
		 * @return this
		 */
		public Builder namespacesMustExist(boolean mustExist) {
			this.settings.setNamespacesMustExist(mustExist);
			return this;
		}

		/**
		 * Serve HTTPS only, with HTTP/1.1 and HTTP/2 by ALPN and with a certificate for
		 * 127.0.0.1 and localhost that is made at the start.
		 * @return this
		 */
		public Builder tls() {
			this.settings.setTls(true);
			return this;
		}

		/**
		 * Add a user who may do nothing but discovery, until it is allowed more. As soon
		 * as there is one, requests without the token of a user are answered with 401.
		 * @param name the name
		 * @param token the bearer token
		 * @return this
		 */
		public Builder user(String name, String token) {
			return user(name, token, (user) -> {
			});
		}

		/**
		 * Add a user, as in
		 * {@code user("viewer", "secret", (viewer) -> viewer.allow("list,watch", "pods"))}.
		 * @param name the name
		 * @param token the bearer token
		 * @param rights gives the user its rights
		 * @return this
		 */
		public Builder user(String name, String token, Consumer<ApiUser> rights) {
			ApiUser user = new ApiUser(name, token);
			rights.accept(user);
			this.users.add(user);
			this.settings.addUser(user.user());
			return this;
		}

		/**
		 * Set how many requests are kept for {@link EmbeddedKubernetes#requests()}.
		 * @param requests the number of requests, of which the newest are kept; 10 000 by
		 * default
		 * @return this
		 */
		public Builder requestLimit(int requests) {
			this.settings.setRequestLimit(requests);
			return this;
		}

		/**
		 * Start the server.
		 * @return the server, to be closed by the caller
		 */
		public EmbeddedKubernetes start() {
			return new EmbeddedKubernetes(this);
		}

	}

}
