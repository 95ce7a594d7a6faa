package dev.kubeinformer.spring.autoconfigure.properties;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;

import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientProperties;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.spring.settings.PropertyRanges;

/**
 * Properties of a cluster that has a name: those of its client, and what differs for
 * informers in it. Nothing of {@code kubernetes.client} is inherited.
 *
 * @param informers informers in the cluster
 * @param readiness Whether the application is not ready before handlers, reconcilers and
 * informers in this cluster are synced, and a start that waits for informers waits for
 * them.
 * @param url URL of the API server. By default that of the kubeconfig or, in a pod, of
 * the environment.
 * @param token Bearer token to authenticate with, instead of what the kubeconfig says.
 * @param tokenFile Path of a file with the bearer token, which is read again every minute
 * and when the API server turns the token away.
 * @param ca Certificates of the authorities that may vouch for the API server, instead of
 * those of the kubeconfig or the service account: the path of a PEM file, which is read
 * again when it changes, a resource location, or the PEM itself.
 * @param tlsServerName Name that is sent as SNI and that the certificate of the API
 * server must have, instead of the host of the URL.
 * @param proxy URL of the proxy that the connections take, such as
 * http://user:password@proxy.example.com:3128 or socks5://localhost:1080. By default that
 * of the kubeconfig, else what the JVM is set to, else that of the environment variable
 * HTTPS_PROXY.
 * @param kubeconfig Path of the kubeconfig file, which may begin with ~ or be a file:
 * URL. By default the files in the environment variable KUBECONFIG, merged, else the file
 * .kube/config in the home directory.
 * @param context Name of the context in the kubeconfig. By default its current context.
 * @param userAgent User agent that the API server sees.
 * @param connectTimeout How long to wait for a connection to the API server, TLS
 * handshake included; zero for no limit.
 * @param protobuf Whether informers ask for Kubernetes protobuf, which is smaller and
 * decoded faster than JSON. It concerns also an ApiClient bean of the application.
 * @param ssl TLS of the connection
 * @param impersonate user as whom requests are made
 */
public record ClusterProperties(@DefaultValue Informers informers, @DefaultValue("false") Boolean readiness,
		@Nullable String url, @Nullable String token, @Nullable String tokenFile, @Nullable String ca,
		@Nullable String tlsServerName, @Nullable String proxy, @Nullable String kubeconfig, @Nullable String context,
		@Nullable String userAgent, @DefaultValue("10s") Duration connectTimeout,
		@DefaultValue("auto") KubernetesClientProperties.Protobuf protobuf,
		@NestedConfigurationProperty @DefaultValue KubernetesClientProperties.Ssl ssl,
		@NestedConfigurationProperty @DefaultValue KubernetesClientProperties.Impersonate impersonate) {

	/**
	 * Returns the properties of a cluster of which nothing is said.
	 * @return the defaults
	 */
	static ClusterProperties none() {
		return new Binder().bindOrCreate(ClusterEntries.PREFIX, ClusterProperties.class);
	}

	/**
	 * Returns the properties of the client.
	 * @return those that the default cluster has below {@code kubernetes.client}
	 */
	public KubernetesClientProperties client() {
		return new KubernetesClientProperties(this.url, this.token, this.tokenFile, this.ca, this.tlsServerName,
				this.proxy, this.kubeconfig, this.context, this.userAgent, this.connectTimeout, this.protobuf, this.ssl,
				this.impersonate);
	}

	/**
	 * Checks what the types of the properties do not say.
	 * @param name the name of the cluster
	 * @throws InvalidPropertyValueException if a value is out of its range
	 */
	void checkRanges(String name) {
		String prefix = ClusterEntries.name(name, "");
		client().check(prefix);
		PropertyRanges ranges = new PropertyRanges(prefix + ".informers");
		ranges.zeroOrMore("resync", this.informers.resync());
		ranges.atLeast("concurrent-lists", this.informers.concurrentLists(), 1);
		this.informers.resources()
			.forEach((key, resource) -> resource.check(ranges, PropertyRanges.entry("resources", key)));
	}

	/**
	 * Returns a text without values, as some of them are secrets.
	 */
	@Override
	public String toString() {
		return "properties of a Kubernetes cluster";
	}

	/**
	 * Properties of informers in the cluster, before those of
	 * {@code kubernetes.informers}.
	 *
	 * @param namespaces Namespaces to watch in the cluster, '*' for all, '@current' for
	 * that of its kubeconfig's context. Ignored for resources without namespace.
	 * @param resync Period in which handlers get every cached object of the cluster
	 * again; zero for never.
	 * @param concurrentLists Number of lists that the informers of the cluster read at
	 * once.
	 * @param resources What differs for a resource of the cluster, by its plural and
	 * group, such as pods or "[deployments.apps]".
	 */
	public record Informers(@Nullable List<String> namespaces, @Nullable Duration resync,
			@Nullable Integer concurrentLists, @DefaultValue Map<String, InformersProperties.Resource> resources) {
	}

}
