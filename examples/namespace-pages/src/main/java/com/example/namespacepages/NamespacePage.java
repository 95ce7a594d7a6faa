package com.example.namespacepages;

import java.util.List;

/**
 * Page of a namespace.
 *
 * @param namespace the name of the namespace
 * @param replica the replica that has the objects of the namespace
 * @param configMaps the names of its ConfigMaps
 */
record NamespacePage(String namespace, String replica, List<String> configMaps) {

}
