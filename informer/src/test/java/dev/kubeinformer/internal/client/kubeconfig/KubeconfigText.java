package dev.kubeinformer.internal.client.kubeconfig;

/**
 * Kubeconfigs with one context, of their parts in YAML.
 */
final class KubeconfigText {

	static final String CLUSTER = "server: 'https://host:6443'";

	private KubeconfigText() {
	}

	static String of(String cluster, String user) {
		return """
				current-context: here
				contexts: [ { name: here, context: { cluster: west, user: me } } ]
				clusters: [ { name: west, cluster: { %s } } ]
				users: [ { name: me, user: { %s } } ]
				""".formatted(cluster, user);
	}

	static String ofUser(String user) {
		return of(CLUSTER, user);
	}

	static String ofCluster(String cluster) {
		return of(cluster, "token: s3cret");
	}

}
