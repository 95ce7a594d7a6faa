package com.example.clusters;

import java.nio.file.Path;

import dev.kubeinformer.test.EmbeddedKubernetes;
import org.springframework.boot.SpringApplication;

/**
 * Runs the application without a cluster, on two Kubernetes API servers in memory:
 * {@code mvn spring-boot:test-run}.
 */
class TestClustersApplication {

	public static void main(String[] args) {
		SpringApplication.from(ClustersApplication::main).run(start("east"), start("west"));
	}

	private static String start(String cluster) {
		Path kubeconfig = Path.of("target", cluster + ".kubeconfig");
		EmbeddedKubernetes.start().writeKubeconfig(kubeconfig);
		return "--kubernetes.clusters." + cluster + ".kubeconfig=" + kubeconfig;
	}

}
