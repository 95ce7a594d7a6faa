package com.example.configrestart;

import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.util.Yaml;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which ConfigMaps and Secrets a pod uses.
 */
class ConfigReferencesTests {

	@Test
	void variablesAndVolumesAreFound() {
		ConfigReferences references = ConfigReferences.of(Yaml.loadAs("""
				initContainers:
				  - name: init
				    envFrom: [{ secretRef: { name: s1 } }]
				containers:
				  - name: web
				    envFrom: [{ configMapRef: { name: c1 } }]
				    env:
				      - { name: A, value: plain }
				      - { name: B, valueFrom: { configMapKeyRef: { name: c2, key: b } } }
				      - { name: C, valueFrom: { secretKeyRef: { name: s2, key: c } } }
				volumes:
				  - { name: tmp, emptyDir: {} }
				  - { name: c, configMap: { name: c3 } }
				  - { name: s, secret: { secretName: s3 } }
				  - name: p
				    projected:
				      sources: [{ configMap: { name: c4 } }, { secret: { name: s4 } }]
				""", V1PodSpec.class));
		assertThat(references.configMaps()).containsExactly("c1", "c2", "c3", "c4");
		assertThat(references.secrets()).containsExactly("s1", "s2", "s3", "s4");
	}

	@Test
	void podWithoutConfigurationUsesNone() {
		ConfigReferences references = ConfigReferences.of(new V1PodSpec());
		assertThat(references.configMaps()).isEmpty();
		assertThat(references.secrets()).isEmpty();
	}

}
