package com.example;

import java.time.Duration;

import com.example.ConsumerApplication.Names;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@EmbeddedKubernetesTest
class ConsumerApplicationTests {

	@Test
	void handlerShouldBeCalled(@Autowired EmbeddedKubernetes kubernetes, @Autowired Names names) {
		V1ConfigMap configMap = new V1ConfigMap();
		configMap.setMetadata(new V1ObjectMeta().namespace("default").name("first"));
		kubernetes.resources(V1ConfigMap.class).create(configMap);
		Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(names.names).contains("first"));
	}

}
