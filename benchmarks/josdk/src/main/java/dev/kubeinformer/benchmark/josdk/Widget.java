package dev.kubeinformer.benchmark.josdk;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** Custom resource of the comparison. */
@Group("example.com")
@Version("v1")
public class Widget extends CustomResource<WidgetSpec, Void> implements Namespaced {

	private static final long serialVersionUID = 1L;

}
