package dev.kubeinformer.docs.slice;

import io.kubernetes.client.openapi.models.V1Pod;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;

/**
 * Handler that slices do not scan for.
 */
@InformerHandler
class PodHandler {

	@OnAdd
	void added(V1Pod pod) {
	}

}
