package dev.kubeinformer.test;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;

import dev.kubeinformer.test.internal.json.Models;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.server.ApiServer;
import dev.kubeinformer.test.internal.server.ServerSettings;

/**
 * Embedded API: a Kubernetes API server for tests, which runs in their JVM and keeps its
 * objects in memory. It serves all built-in resources over real HTTP (HTTP/1.1 and
 * HTTP/2, with or without TLS, on one loopback port) with the list and watch semantics of
 * kube-apiserver 1.37, and lets a test inject faults that occur in production. It serves
 * requests when {@link #start()} returns, and all its threads have ended when
 * {@link #close()} returns. It is thread-safe.
 */
public final class EmbeddedKubernetes extends ObservedServer implements AutoCloseable {

	private final Models models = new Models();

	private final ApiServer server;

	private final Faults faults;

	private final LeaderControls leader;

	private final List<ApiUser> users;

	private EmbeddedKubernetes(Builder builder) {
		super(ApiServer.start(builder.settings));
		this.server = server();
		this.users = List.copyOf(builder.users);
		this.faults = new Faults(this.server.types(), this.server.corruptions(), this.server.lags(),
				this.server.faults());
		this.leader = new LeaderControls(this.server.rival(), this.server.faults());
	}

	/**
	 * Starts a server on a free port.
	 * @return the server, to be closed by the caller
	 */
	public static EmbeddedKubernetes start() {
		return builder().start();
	}

	/**
	 * Creates a builder of a server.
	 * @return the builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns the address for clients.
	 * @return the address without a slash at its end, such as "http://127.0.0.1:40123"
	 */
	public String url() {
		return this.server.url();
	}

	/**
	 * Returns the port.
	 * @return the port, which stays the same until the server is closed
	 */
	public int port() {
		return this.server.port();
	}

	/**
	 * Returns the revision of the last write of any resource.
	 * @return the current resourceVersion
	 */
	public String resourceVersion() {
		return Long.toString(this.server.log().revision());
	}

	/**
	 * Returns the objects of a resource.
	 * @param model the model class of the official client, or a class with
	 * {@code @KubernetesResource} whose CustomResourceDefinition exists
	 * @param <T> the model class
	 * @return the objects
	 * @throws IllegalArgumentException if the class does not name a resource, or if its
	 * resource is not served
	 */
	public <T extends KubernetesObject> ApiResources<T> resources(Class<T> model) {
		return resources(model, this.server.types().forModel(model));
	}

	/**
	 * Returns the objects of a resource by name, such as a custom resource.
	 * @param model a model class that the official client's JSON can read
	 * @param group the API group, empty for the core group
	 * @param version the version
	 * @param plural the plural
	 * @param <T> the model class
	 * @return the objects
	 * @throws IllegalArgumentException if the resource is not served
	 */
	public <T extends KubernetesObject> ApiResources<T> resources(Class<T> model, String group, String version,
			String plural) {
		return resources(model, this.server.types().named(group, version, plural));
	}

	private <T extends KubernetesObject> ApiResources<T> resources(Class<T> model, ResourceDefinition type) {
		return new ApiResources<>(type, model, this.models, this.server);
	}

	/**
	 * Serves a custom resource with the status subresource, by creating its
	 * CustomResourceDefinition with this single version. Replaces an earlier definition.
	 * @param group the API group
	 * @param version the version
	 * @param plural the plural
	 * @param kind the kind
	 * @param namespaced whether its objects belong to namespaces
	 */
	public void serve(String group, String version, String plural, String kind, boolean namespaced) {
		StatusException.translate(() -> this.server.serve(group, version, plural, kind, namespaced));
	}

	/**
	 * Returns a user, whose permissions can then be granted or revoked.
	 * @param name the name
	 * @return the user
	 * @throws IllegalArgumentException if the user does not exist
	 */
	public ApiUser user(String name) {
		return ApiUser.named(name, this.users);
	}

	/**
	 * Returns the certificate of the server's certificate authority.
	 * @return the certificate in PEM
	 * @throws IllegalStateException if the server was started without TLS
	 */
	public String caCertificate() {
		return Optional.ofNullable(this.server.authority())
			.orElseThrow(() -> new IllegalStateException("The server was started without TLS"));
	}

	// Client that trusts the certificate of the server. If there are users, it
	// authenticates as the first one.
	ApiClient newClient() {
		return this.server.newClient();
	}

	/**
	 * Returns a kubeconfig for this server. It has a context for each user, with the same
	 * name as the user. The context of the first user is the current one.
	 * @return the text of the file
	 */
	public String kubeconfig() {
		return this.server.kubeconfig();
	}

	/**
	 * Writes a kubeconfig for this server.
	 * @param file the file, which is replaced if it exists
	 * @return the file
	 * @see #kubeconfig()
	 */
	public Path writeKubeconfig(Path file) {
		return this.server.writeKubeconfig(file);
	}

	/**
	 * Enables or disables garbage collection while the server is running, until the next
	 * {@link #reset()}. Objects whose finalizers wait for garbage collection stay until
	 * it is enabled again, or until another client removes the finalizers.
	 * @param enabled {@code true} to collect garbage, including existing garbage
	 * @see Builder#garbageCollection(boolean)
	 */
	public void garbageCollection(boolean enabled) {
		this.server.collectGarbage(enabled);
	}

	/**
	 * Switches the feature gate {@code ShardedListAndWatch} while the server is running,
	 * until the next {@link #reset()}. It applies to later requests; an open watch does
	 * not change. In kube-apiserver, the gate changes only with a restart. To simulate
	 * this, also call {@link #restart()}.
	 * @param enabled {@code true} to evaluate the parameter {@code shardSelector}
	 * @see Builder#shardedListAndWatch(boolean)
	 */
	public void shardedListAndWatch(boolean enabled) {
		this.server.shardedListAndWatch(enabled);
	}

	/**
	 * Compacts all history, as etcd and the watch cache do: watches and exact lists from
	 * older resourceVersions are rejected with 410, and so are continue tokens. Open
	 * watches continue.
	 */
	public void compact() {
		this.server.log().compact();
	}

	/**
	 * Restarts the server: closes all connections, and keeps the port and the data. As
	 * after a restart of kube-apiserver, the watch cache is empty, so watches from older
	 * resourceVersions are rejected with 410.
	 */
	public void restart() {
		this.server.restart();
	}

	/**
	 * Resets the server for the next test:
	 * <ul>
	 * <li>It serves requests again, with the builder's settings for garbage collection
	 * and shards.</li>
	 * <li>All faults are removed. The requests that they hold are cut.</li>
	 * <li>The effects of {@link #leader()} end.</li>
	 * <li>All objects are deleted, even those with finalizers. The initial namespaces
	 * stay, and missing ones are created again. Leases stay if
	 * {@link LeaderControls#keepOnReset} names them. CustomResourceDefinitions stay,
	 * because they define the served resources.</li>
	 * <li>{@link #requests()} is cleared.</li>
	 * </ul>
	 * Open watches stay open, and receive the deletes. Each delete has its own revision.
	 * @return the resourceVersion of the last delete, for which clients can wait. If a
	 * client reacts to a delete with a write, this write has a greater version.
	 */
	public String reset() {
		this.leader.thawRenewals();
		return Long.toString(this.server.reset());
	}

	/**
	 * Closes all connections and refuses new ones until {@link #resumeServing()}.
	 */
	public void stopServing() {
		this.server.stopServing();
	}

	/**
	 * Resumes serving on the same port, with the same data and history.
	 */
	public void resumeServing() {
		this.server.resumeServing();
	}

	/**
	 * Closes all open connections and so all watches. New connections are accepted.
	 */
	public void dropConnections() {
		this.server.dropConnections();
	}

	/**
	 * Returns the faults of this server, to which a test can add its own.
	 * @return the faults
	 */
	public Faults faults() {
		return this.faults;
	}

	/**
	 * Returns the controls of the leaders that clients elect with Leases.
	 * @return the controls
	 */
	public LeaderControls leader() {
		return this.leader;
	}

	/**
	 * Sends a bookmark to each watch that allows bookmarks, without waiting for the
	 * bookmark interval.
	 */
	public void sendBookmarks() {
		this.server.watches().sendBookmarks();
	}

	@Override
	public void close() {
		this.server.close();
	}

	/**
	 * Builder of a server.
	 */
	public static final class Builder {

		private final ServerSettings settings = new ServerSettings();

		private final List<ApiUser> users = new ArrayList<>();

		private Builder() {
		}

		/**
		 * Sets the port.
		 * @param port the port; 0 (default) for a free one
		 * @return this
		 */
		public Builder port(int port) {
			this.settings.port = Checks.atLeast(0, "Port", port);
			return this;
		}

		/**
		 * Adds host names of the server. The server listens on loopback only. It accepts
		 * only requests whose host is {@code localhost}, {@code 127.0.0.1}, {@code [::1]}
		 * or one of these names, and rejects others with 403. Otherwise a page in a
		 * browser could use the server with a name that resolves to 127.0.0.1 (DNS
		 * rebinding).
		 * @param names the names, such as the name of a proxy that keeps the {@code Host}
		 * header
		 * @return this
		 */
		public Builder hosts(String... names) {
			this.settings.hosts.addAll(List.of(names));
			return this;
		}

		/**
		 * Sets the period of bookmarks.
		 * @param interval the period; one minute by default, as in Kubernetes
		 * @return this
		 */
		public Builder bookmarkInterval(Duration interval) {
			this.settings.bookmarkInterval = Checks.positive("Interval of bookmarks", interval);
			return this;
		}

		/**
		 * Sets the number of changes that the server keeps for each resource. A watch
		 * that falls further behind is ended.
		 * @param changes the number of changes; 20 000 by default
		 * @return this
		 */
		public Builder historyLimit(int changes) {
			this.settings.historyLimit = Checks.atLeast(0, "Number of changes", changes);
			return this;
		}

		/**
		 * Sets whether lists over 128 KB are compressed for clients that accept gzip, as
		 * by kube-apiserver. Compression slows tests down.
		 * @param enabled whether to compress; off by default
		 * @return this
		 */
		public Builder compression(boolean enabled) {
			this.settings.compression = enabled;
			return this;
		}

		/**
		 * Sets whether built-in objects are served as protobuf to clients that prefer it,
		 * as by kube-apiserver. CustomResourceDefinitions and objects of alpha and beta
		 * versions are always served as JSON. If only the metadata of objects is
		 * requested, it is served as protobuf even for custom resources. Protobuf needs
		 * the messages of the official client, {@code io.kubernetes:client-java-proto}, a
		 * dependency of {@code client-java}.
		 * @param enabled whether to serve protobuf; off by default, because JSON is
		 * readable in tests
		 * @return this
		 */
		public Builder protobuf(boolean enabled) {
			this.settings.protobuf = enabled;
			return this;
		}

		/**
		 * Sets whether the server supports metadata-only objects ({@code
		 * as=PartialObjectMetadata} and {@code as=PartialObjectMetadataList} in the
		 * Accept header), as every kube-apiserver does. If not, the server chooses the
		 * next alternative in the Accept header, such as complete objects in JSON.
		 * Without another alternative it responds with 406, like old aggregated API
		 * servers.
		 * @param served whether to support them; on by default
		 * @return this
		 */
		public Builder metadataOnly(boolean served) {
			this.settings.metadataOnly = served;
			return this;
		}

		/**
		 * Sets the feature gate {@code ShardedListAndWatch} (KEP-5866): whether the
		 * parameter {@code shardSelector} limits lists and watches to ranges of the hash
		 * of the UID or the namespace. Lists of built-in resources then repeat the
		 * selector in {@code metadata.shardInfo}; lists of custom resources, metadata and
		 * tables do not, as in 1.37.
		 * @param enabled whether to enable it; off by default, as in 1.37; the parameter
		 * is then ignored, even if it is malformed
		 * @return this
		 * @see EmbeddedKubernetes#shardedListAndWatch(boolean)
		 */
		public Builder shardedListAndWatch(boolean enabled) {
			this.settings.shardedListAndWatch = enabled;
			return this;
		}

		/**
		 * Sets whether watches and streaming lists of all resources ignore a valid
		 * {@code shardSelector}. In kube-apiserver 1.36, watches and streaming lists that
		 * bypass the watch cache do so, for example for events. Other lists always obey
		 * the selector.
		 * @param unfiltered whether to ignore it; off by default, as in 1.37
		 * @return this
		 */
		public Builder unfilteredWatches(boolean unfiltered) {
			this.settings.unfilteredWatches = unfiltered;
			return this;
		}

		/**
		 * Sets whether clients can create objects only in namespaces that exist, as in
		 * Kubernetes; "default", "kube-system", "kube-public" and "kube-node-lease" exist
		 * from the start. Objects that a test creates with
		 * {@link EmbeddedKubernetes#resources} do not need an existing namespace, unless
		 * it uses {@link ApiResources#asClient()}.
		 * @param mustExist whether namespaces must exist; on by default
		 * @return this
		 */
		public Builder namespacesMustExist(boolean mustExist) {
			this.settings.namespacesMustExist = mustExist;
			return this;
		}

		/**
		 * Adds namespaces that exist from the start and after each
		 * {@linkplain EmbeddedKubernetes#reset() reset}, like "default".
		 * @param names the names
		 * @return this
		 */
		public Builder namespaces(String... names) {
			this.settings.namespaces.addAll(List.of(names));
			return this;
		}

		/**
		 * Sets whether objects are deleted after their owners, as by the garbage
		 * collector of kube-controller-manager: an object is deleted soon after its last
		 * owner was deleted, even with {@link ApiResources#delete(String, String)}.
		 * Deletes by clients then obey their {@code propagationPolicy}: in the
		 * background, in the foreground with the finalizer {@code foregroundDeletion}, or
		 * leaving orphans with the finalizer {@code orphan}. If garbage is not collected,
		 * the policy is validated but has no effect, so an object never waits for a
		 * collector that does not run.
		 * @param enabled whether to collect garbage; off by default, because an API
		 * server without kube-controller-manager does not delete objects either, and a
		 * test then sees only its own writes
		 * @return this
		 * @see EmbeddedKubernetes#garbageCollection(boolean)
		 */
		public Builder garbageCollection(boolean enabled) {
			this.settings.garbageCollection = enabled;
			return this;
		}

		/**
		 * Sets whether objects of built-in types that clients write are validated and
		 * completed as by kube-apiserver: unknown fields are dropped with a warning, or
		 * rejected if the client requests this; values of wrong types, invalid names and
		 * labels, missing or contradictory fields and changes of immutable fields are
		 * rejected; defaults are filled in. Objects that a test writes with
		 * {@link EmbeddedKubernetes#resources} are validated only with
		 * {@link ApiResources#asClient()}.
		 * @param enabled {@code false} to accept any content; {@code true} by default
		 * @return this
		 */
		public Builder validation(boolean enabled) {
			this.settings.validation = enabled;
			return this;
		}

		/**
		 * Serves HTTPS only, with HTTP/1.1 and HTTP/2 by ALPN and with a new certificate
		 * for 127.0.0.1 and localhost.
		 * @return this
		 */
		public Builder tls() {
			this.settings.tls = true;
			return this;
		}

		/**
		 * Adds a user who may use only discovery until permissions are granted. If there
		 * are users, requests without a user's token are rejected with 401.
		 * @param name the name
		 * @param token the bearer token
		 * @return this
		 */
		public Builder user(String name, String token) {
			return user(name, token, (user) -> {
			});
		}

		/**
		 * Adds a user, as in
		 * {@code user("viewer", "secret", (viewer) -> viewer.allow("list,watch", "pods"))}.
		 * @param name the name
		 * @param token the bearer token
		 * @param rights grants permissions to the user
		 * @return this
		 */
		public Builder user(String name, String token, Consumer<ApiUser> rights) {
			ApiUser user = new ApiUser(name, token);
			rights.accept(user);
			this.users.add(user);
			this.settings.users.add(user.user());
			return this;
		}

		/**
		 * Sets the number of requests that are kept for
		 * {@link EmbeddedKubernetes#requests()}.
		 * @param requests the number of newest requests; 10 000 by default
		 * @return this
		 */
		public Builder requestLimit(int requests) {
			this.settings.requestLimit = Checks.atLeast(0, "Number of requests", requests);
			return this;
		}

		/**
		 * Starts the server.
		 * @return the server, to be closed by the caller
		 */
		public EmbeddedKubernetes start() {
			return new EmbeddedKubernetes(this);
		}

	}

}
