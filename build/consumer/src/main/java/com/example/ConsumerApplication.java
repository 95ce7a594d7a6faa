package com.example;

import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;

/**
 * An application that handles ConfigMaps.
 */
@SpringBootApplication
public class ConsumerApplication {

	public static void main(String[] args) {
		SpringApplication.run(ConsumerApplication.class, args);
	}

	/**
	 * Keeps the names of what was added.
	 */
	@InformerHandler(V1ConfigMap.class)
	static class Names {

		final Collection<String> names = new ConcurrentLinkedQueue<>();

		@OnAdd
		void added(V1ConfigMap configMap) {
			this.names.add(configMap.getMetadata().getName());
		}

	}

}
