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
 * Kubernetes API server in memory, for tests. It serves all built-in resources over real
 * HTTP (HTTP/1.1 and HTTP/2, with or without TLS, on one loopback port) with the list and
 * watch semantics of kube-apiserver 1.37, and lets a test inject the faults that clients
 * meet in production. It is ready when it is started, may be used by several threads, and
 * leaves no thread behind when it is closed.
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
	 * Begins to describe a server.
	 * @return the description
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
	 * @param model the model class of the official client
	 * @param <T> the model class
	 * @return the objects
	 */
	public <T extends KubernetesObject> ApiResources<T> resources(Class<T> model) {
		return resources(model, this.server.types().forModel(model));
	}

	/**
	 * Returns the objects of a resource by its name, such as a custom one.
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
		return resources(model, this.server.types().named(group, version, plural));
	}

	private <T extends KubernetesObject> ApiResources<T> resources(Class<T> model, ResourceDefinition type) {
		return new ApiResources<>(type, model, this.models, this.server.store(), this.server.log());
	}

	/**
	 * Serves a custom resource with the status subresource, by its
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
	 * Returns a user, to give it rights or to take some.
	 * @param name the name
	 * @return the user
	 * @throws IllegalArgumentException if there is none of this name
	 */
	public ApiUser user(String name) {
		return ApiUser.named(name, this.users);
	}

	/**
	 * Returns the certificate of the authority that signed the server's.
	 * @return the certificate in PEM
	 * @throws IllegalStateException if the server was started without TLS
	 */
	public String caCertificate() {
		return Optional.ofNullable(this.server.authority())
			.orElseThrow(() -> new IllegalStateException("The server was started without TLS"));
	}

	// A client that trusts the server, and is its first user if it has users.
	ApiClient newClient() {
		return this.server.newClient();
	}

	/**
	 * Returns a kubeconfig for this server. It has a context for each user, named like
	 * the user; the current one is that of the first user.
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
	 * Begins or ends garbage collection while the server runs, until the next
	 * {@link #reset()}. Objects whose finalizers wait for it when it ends stay until it
	 * begins again, or until somebody else removes the finalizers.
	 * @param enabled whether garbage is collected from now on, also what is garbage
	 * already
	 * @see Builder#garbageCollection(boolean)
	 */
	public void garbageCollection(boolean enabled) {
		this.server.collectGarbage(enabled);
	}

	/**
	 * Switches the feature gate {@code ShardedListAndWatch} while the server runs, until
	 * the next {@link #reset()}. Requests from now on follow it; a watch that is open
	 * goes on as it began. As the gate of kube-apiserver changes with a restart, a test
	 * may want {@link #restart()} as well.
	 * @param enabled whether the parameter {@code shardSelector} is obeyed
	 * @see Builder#shardedListAndWatch(boolean)
	 */
	public void shardedListAndWatch(boolean enabled) {
		this.server.shardedListAndWatch(enabled);
	}

	/**
	 * Compacts all history, as etcd and the watch cache do: watches and exact lists from
	 * older resourceVersions are answered with 410, and so are continue tokens. Open
	 * watches go on.
	 */
	public void compact() {
		this.server.log().compact();
	}

	/**
	 * Restarts the server: every connection is cut, the port and the data stay, and as
	 * after a restart of kube-apiserver the watch cache is fresh, so that watches from
	 * older resourceVersions are answered with 410.
	 */
	public void restart() {
		this.server.restart();
	}

	/**
	 * Begins anew for the next test: serves again where serving was stopped, collects
	 * garbage and knows shards if the builder said so, removes all faults with the
	 * requests that they hold, ends what {@link #leader()} was asked for, deletes all
	 * objects but the initial namespaces, makes those again that are missing, and clears
	 * the requests. CustomResourceDefinitions stay, too: like the built-in resources they
	 * are what is served, and only their objects are deleted. History goes on: every
	 * delete has a revision of its own and is sent to the open watches, which stay open.
	 * Finalizers are not waited for.
	 * @return the resourceVersion of the last delete, which clients may wait for; what
	 * they write in answer has a greater one
	 */
	public String reset() {
		this.leader.thawRenewals();
		return Long.toString(this.server.reset());
	}

	/**
	 * Cuts every connection and refuses new ones until {@link #resumeServing()}.
	 */
	public void stopServing() {
		this.server.stopServing();
	}

	/**
	 * Serves again at the same port, with the data and the history there were.
	 */
	public void resumeServing() {
		this.server.resumeServing();
	}

	/**
	 * Cuts every open connection, and with it every watch. New ones are accepted.
	 */
	public void dropConnections() {
		this.server.dropConnections();
	}

	/**
	 * Returns the faults, to add and to remove some.
	 * @return the faults
	 */
	public Faults faults() {
		return this.faults;
	}

	/**
	 * Returns what a test does to the leaders that clients elect by Leases.
	 * @return the controls
	 */
	public LeaderControls leader() {
		return this.leader;
	}

	/**
	 * Sends a bookmark to every watch that allows them, without waiting for their period.
	 */
	public void sendBookmarks() {
		this.server.watches().sendBookmarks();
	}

	@Override
	public void close() {
		this.server.close();
	}

	/**
	 * Description of a server that is not started yet.
	 */
	public static final class Builder {

		private final ServerSettings settings = new ServerSettings();

		private final List<ApiUser> users = new ArrayList<>();

		private Builder() {
		}

		/**
		 * Sets the port.
		 * @param port the port, 0 for a free one, which is the default
		 * @return this
		 */
		public Builder port(int port) {
			this.settings.port = Checks.atLeast(0, "Port", port);
			return this;
		}

		/**
		 * Adds names by which clients address the server. It listens on loopback only and
		 * answers requests for any other host than {@code localhost}, {@code 127.0.0.1},
		 * {@code [::1]} and these with 403, so that no page in a browser can use it by a
		 * name that it had resolved to 127.0.0.1 (DNS rebinding).
		 * @param names the names, such as that of a proxy which keeps the {@code Host}
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
		 * Sets how many changes of each resource are remembered. A watch that is further
		 * behind is ended.
		 * @param changes the number of changes; 20 000 by default
		 * @return this
		 */
		public Builder historyLimit(int changes) {
			this.settings.historyLimit = Checks.atLeast(0, "Number of changes", changes);
			return this;
		}

		/**
		 * Sets whether lists over 128 KB are compressed for clients that accept gzip, as
		 * kube-apiserver does. It costs time that most tests do not want to spend.
		 * @param enabled whether to compress; off by default
		 * @return this
		 */
		public Builder compression(boolean enabled) {
			this.settings.compression = enabled;
			return this;
		}

		/**
		 * Sets whether built-in objects are served as protobuf to clients that prefer it,
		 * as kube-apiserver does; not CustomResourceDefinitions, and not alpha and beta
		 * versions. The metadata alone is served as protobuf of all objects, custom ones
		 * too. It needs the messages of the official client,
		 * {@code io.kubernetes:client-java-proto}, which {@code client-java} brings.
		 * @param enabled whether to serve protobuf; off by default, as JSON is what a
		 * test can look at
		 * @return this
		 */
		public Builder protobuf(boolean enabled) {
			this.settings.protobuf = enabled;
			return this;
		}

		/**
		 * Sets whether the server knows the metadata of objects alone
		 * ({@code as=PartialObjectMetadata} and {@code as=PartialObjectMetadataList} in
		 * the Accept header), as every kube-apiserver does. Without it the next
		 * alternative is served that the client accepts, such as whole objects in JSON;
		 * if there is none the answer is 406. So do old aggregated API servers.
		 * @param served whether the form is served; it is by default
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
		 * selector in {@code metadata.shardInfo}; those of custom resources, of metadata
		 * alone and of tables do not, as in 1.37.
		 * @param enabled whether it is on; off by default, as in 1.37, and then the
		 * parameter is ignored, even a malformed one
		 * @return this
		 * @see EmbeddedKubernetes#shardedListAndWatch(boolean)
		 */
		public Builder shardedListAndWatch(boolean enabled) {
			this.settings.shardedListAndWatch = enabled;
			return this;
		}

		/**
		 * Sets whether watches and streaming lists of all resources ignore a valid
		 * {@code shardSelector}, as those of kube-apiserver 1.36 do that bypass the watch
		 * cache, such as those of events. Lists do not.
		 * @param unfiltered whether they do; none does by default, as in 1.37
		 * @return this
		 */
		public Builder unfilteredWatches(boolean unfiltered) {
			this.settings.unfilteredWatches = unfiltered;
			return this;
		}

		/**
		 * Sets whether clients can create objects only in namespaces that exist, as in
		 * Kubernetes; "default", "kube-system", "kube-public" and "kube-node-lease" do
		 * from the start. What a test creates by {@link EmbeddedKubernetes#resources}
		 * needs no namespace.
		 * @param mustExist whether they must; they do by default
		 * @return this
		 */
		public Builder namespacesMustExist(boolean mustExist) {
			this.settings.namespacesMustExist = mustExist;
			return this;
		}

		/**
		 * Adds namespaces that are there from the start, and after each
		 * {@linkplain EmbeddedKubernetes#reset() reset}, as "default" is.
		 * @param names the names
		 * @return this
		 */
		public Builder namespaces(String... names) {
			this.settings.namespaces.addAll(List.of(names));
			return this;
		}

		/**
		 * Sets whether objects are deleted after their owners, as by the garbage
		 * collector of kube-controller-manager: an object none of whose owners exists is
		 * deleted, soon after that has come to be, and what
		 * {@link ApiResources#delete(String, String)} deletes is an owner like any other.
		 * Deletes by clients then obey their {@code propagationPolicy}: in the
		 * background, in the foreground with the finalizer {@code foregroundDeletion}, or
		 * leaving orphans with the finalizer {@code orphan}. Without it the policy is
		 * checked and ignored, so that no object waits for a collector that is not there.
		 * @param enabled whether garbage is collected; off by default, as where only an
		 * API server runs, so that a test sees no writes but those that it causes
		 * @return this
		 * @see EmbeddedKubernetes#garbageCollection(boolean)
		 */
		public Builder garbageCollection(boolean enabled) {
			this.settings.garbageCollection = enabled;
			return this;
		}

		/**
		 * Serves HTTPS only, with HTTP/1.1 and HTTP/2 by ALPN and with a certificate for
		 * 127.0.0.1 and localhost that is made at the start.
		 * @return this
		 */
		public Builder tls() {
			this.settings.tls = true;
			return this;
		}

		/**
		 * Adds a user who may do nothing but discovery, until it is allowed more. As soon
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
		 * Adds a user, as in
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
			this.settings.users.add(user.user());
			return this;
		}

		/**
		 * Sets how many requests are kept for {@link EmbeddedKubernetes#requests()}.
		 * @param requests the number of requests, of which the newest are kept; 10 000 by
		 * default
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
